import { describe, expect, it } from 'vitest'
import { spamMarkIn } from '../../../src/inbound/kinds/spamMarks.js'
import { emailHeaders } from '../../../src/inbound/parse/headers.js'
import { spamMarkInFields } from '../../../src/inbound/parse/providerSpam.js'

describe('the mark of a spam filter', () => {
  // Headers as each filter writes them, of spam.
  it.each<[filter: string, headers: Record<string, string>]>([
    ['SpamAssassin', { 'X-Spam-Flag': 'YES' }],
    ['SpamAssassin', { 'X-Spam-Status': 'Yes, score=15.2 required=5.0 tests=BAYES_99' }],
    ['a score alone', { 'X-Spam-Score': '5.0' }],
    ['a score with stars', { 'X-Spam-Score': '7.1 (+++++++)' }],
    ['stars alone', { 'X-Spam-Level': '*****' }],
    ['Exim, with underscores', { 'X-Spam_score': '6.2', 'X-Spam_bar': '++++++' }],
    ['Rspamd', { 'X-Spam': 'Yes' }],
    ['Rspamd', { 'X-Spamd-Result': 'default: True [18.20 / 15.00]; BAYES_SPAM(5.10)[99.9%]' }],
    ['Rspamd', { 'X-Rspamd-Action': 'add header' }],
    ['Rspamd', { 'X-Rspamd-Action': 'reject' }],
    ['Exchange', { 'X-MS-Exchange-Organization-SCL': '5' }],
    ['Exchange', { 'X-MS-Exchange-Organization-SCL': '9' }],
    ['Microsoft 365', { 'X-Forefront-Antispam-Report': 'CIP:192.0.2.1;CTRY:US;SCL:5;SFV:SPM;CAT:SPM' }],
    ['Microsoft 365, phishing', { 'X-Forefront-Antispam-Report': 'CIP:192.0.2.1;SFV:NSPM;CAT:HPHSH' }],
    ['Google Workspace', { 'X-Gm-Spam': '1', 'X-Gm-Phishy': '0' }],
    ['Proofpoint', { 'X-Proofpoint-Spam-Details': 'rule=spam policy=default score=99 spamscore=99' }],
    ['Proofpoint', { 'X-Proofpoint-Spam-Details': 'rule=inbound_spam policy=inbound score=88' }],
    ['Barracuda', { 'X-Barracuda-Spam-Flag': 'YES' }],
    ['Barracuda', { 'X-Barracuda-Spam-Status': 'Yes, SCORE=7.62' }],
    ['Mailgun', { 'X-Mailgun-Sflag': 'Yes', 'X-Mailgun-Sscore': '6.1' }],
    ['Mailgun, a score alone', { 'X-Mailgun-Sscore': '6.1' }],
    ['Amazon SES', { 'X-SES-Spam-Verdict': 'FAIL', 'X-SES-Virus-Verdict': 'PASS' }],
    ['Amazon SES', { 'X-SES-Spam-Verdict': 'PASS', 'X-SES-Virus-Verdict': 'FAIL' }],
    ['MailScanner', { 'X-House-MailScanner-SpamCheck': 'spam, SpamAssassin (score=9, required 6)' }],
    ['Kaspersky', { 'X-KLMS-AntiSpam-Status': 'spam' }],
    ['GMX and IONOS', { 'X-UI-Filterresults': 'junk:10;V03:K0:x' }],
    ['OVH', { 'X-VR-SPAMSTATE': 'SPAM' }],
    ['Yandex', { 'X-Yandex-Spam': '4' }],
    ['ClamAV', { 'X-Virus-Status': 'Infected (Eicar)' }],
    ['Amavis', { 'X-Amavis-Alert': 'INFECTED, message contains virus: x' }],
  ])('counts: %s %j', (_filter, headers) => {
    const [[name = '', value = ''] = []] = Object.entries(headers).toReversed()
    const mark = spamMarkIn(emailHeaders(headers), 'Lift')
    expect(mark).toMatch(/^x-[a-z-]+: \S/)
    if (Object.keys(headers).length === 1)
      expect(`${name.toLowerCase().replaceAll('_', '-')}: ${value}`).toContain(mark)
  })

  // The same filters, of email that is none.
  it.each<[filter: string, headers: Record<string, string> | undefined]>([
    ['no header', undefined],
    ['SpamAssassin', { 'X-Spam-Flag': 'NO', 'X-Spam-Status': 'No, score=-1.9 required=5.0' }],
    ['a score alone', { 'X-Spam-Score': '4.9' }],
    ['a negative score', { 'X-Spam-Score': '-5.1' }],
    ['a score that is no number', { 'X-Spam-Score': '5.x', 'X-Spam-Level': '****' }],
    ['a score beside a verdict', { 'X-Spam-Status': 'No, score=5.5 required=8.0', 'X-Spam-Score': '55' }],
    [
      'Rspamd',
      {
        'X-Spamd-Result': 'default: False [6.20 / 15.00]; RULE_TRUE(1.00)[]',
        'X-Rspamd-Action': 'no action',
      },
    ],
    ['Rspamd, later', { 'X-Rspamd-Action': 'greylist' }],
    ['Rspamd, later', { 'X-Rspamd-Action': 'soft reject' }],
    ['Exchange', { 'X-MS-Exchange-Organization-SCL': '-1' }],
    ['Exchange', { 'X-MS-Exchange-Organization-SCL': '1' }],
    [
      'Microsoft 365',
      { 'X-Forefront-Antispam-Report': 'CIP:192.0.2.5;SCL:1;SFV:NSPM;CAT:NONE;SFS:(13230040)' },
    ],
    ['Microsoft 365', { 'X-Microsoft-Antispam': 'BCL:9;' }],
    ['Google Workspace', { 'X-Gm-Spam': '0', 'X-Gm-Phishy': '0' }],
    [
      'Proofpoint',
      { 'X-Proofpoint-Spam-Details': 'rule=outbound_notspam policy=outbound score=0 spamscore=0' },
    ],
    ['Proofpoint', { 'X-Proofpoint-Spam-Details': 'rule=notspam policy=default score=0 suspectscore=8' }],
    ['Mailgun', { 'X-Mailgun-Sflag': 'No', 'X-Mailgun-Sscore': '5.2' }],
    ['Amazon SES', { 'X-SES-Spam-Verdict': 'GRAY', 'X-SES-Virus-Verdict': 'PASS' }],
    ['MailScanner', { 'X-House-MailScanner-SpamCheck': 'not spam, SpamAssassin (score=1)' }],
    ['IronPort, which says that it looked', { 'X-IronPort-Anti-Spam-Filtered': 'true' }],
    ['GMX and IONOS', { 'X-UI-Filterresults': 'notjunk:1;V03:K0:x' }],
    ['Yandex', { 'X-Yandex-Spam': '1' }],
    ['ClamAV', { 'X-Virus-Status': 'Clean' }],
  ])('is no mark: %s %j', (_filter, headers) => {
    expect(spamMarkIn(emailHeaders(headers), 'Lift')).toBeNull()
  })

  it('may stand before the subject, and nowhere else in it', () => {
    for (const subject of ['***SPAM*** You won', '*****SPAM***** x', '[SPAM] x', '[ spam ] x', '{Spam?} x'])
      expect(spamMarkIn(null, subject), subject).not.toBeNull()
    for (const subject of ['Re: [SPAM] your letter', 'Spam in the lobby', 'Stop the *spam*', ''])
      expect(spamMarkIn(null, subject), subject).toBeNull()
  })
})

describe('what a provider’s post says of spam', () => {
  it.each<[provider: string, fields: Record<string, unknown>, mark: string | null]>([
    ['SendGrid', { spam_score: '5.0' }, 'spam_score: 5.0'],
    ['SendGrid', { spam_score: '4.99', spam_report: 'Spam detection software …' }, null],
    ['SendGrid, without the check', { spam_score: '' }, null],
    ['Mailjet', { SpamAssassinScore: '7.602' }, 'SpamAssassinScore: 7.602'],
    ['Mailjet', { SpamAssassinScore: '0.602' }, null],
    ['Brevo', { SpamScore: 5.2 }, 'SpamScore: 5.2'],
    ['Brevo', { Spam: { Score: '12' } }, 'Spam.Score: 12'],
    ['Brevo', { SpamScore: '2.8', Spam: null }, null],
    ['Mandrill', { spam_report: { score: 6.4, matched_rules: [] } }, 'spam_report.score: 6.4'],
    ['Mandrill, as a text', { spam_report: '{"score":6.4}' }, 'spam_report.score: 6.4'],
    ['Mailgun', { 'X-Mailgun-Sflag': 'Yes' }, 'X-Mailgun-Sflag: Yes'],
    ['Mailgun', { 'X-Mailgun-Sflag': 'No', 'X-Mailgun-Sscore': '9' }, null],
    ['Amazon SES', { receipt: { spamVerdict: { status: 'FAIL' } } }, 'receipt.spamVerdict.status: FAIL'],
    ['Amazon SES', { receipt: { spamVerdict: { status: 'PASS' }, virusVerdict: { status: 'GRAY' } } }, null],
    ['CloudMailin', { envelope: { spamd: { score: '8.1' } } }, 'envelope.spamd.score: 8.1'],
    ['CloudMailin', { envelope: { spf: { result: 'pass' } } }, null],
    ['others', { is_spam: true }, 'is_spam: true'],
    ['others', { is_spam: false, spam_score: '9' }, null],
    [
      'odd fields',
      { spam_score: ['9'], SpamScore: {}, spam_report: '{broken', envelope: 7, receipt: [] },
      null,
    ],
  ])('%s %j', (_provider, given, mark) => {
    expect(spamMarkInFields(given)).toBe(mark)
  })
})
