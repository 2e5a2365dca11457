/** What people without a session see: reporting, the link that signs in by mail, and the answer by mail. */
export const guests = {
  kept: 'Your report is kept for an hour, with its photos. Say who you are, and it is sent at once.',
  sendAs: 'You say who you are when you send it. You can sign in with a password or with a link by mail.',
  noAccount: 'No account yet? The building office makes one for you.',
  noAccountCall: (phone: string) => `No account yet? Ask the building office: ${phone}`,
  anyAccount: 'No account yet? Ask for a link all the same: it makes one for your address.',
  link: {
    title: 'Without a password',
    hint: 'We send a link to the address of your account. It signs you in once, in this browser.',
    send: 'Send me a link',
    sentTitle: 'Look into your mail',
    sent: 'If this address has an account, a link is on its way to it. It works for 15 minutes.',
    sentAny: 'A link is on its way to this address. It works for 15 minutes.',
    here: 'Open it on this device and in this browser. Elsewhere it signs nobody in.',
    nothing: 'Nothing came? Look into the spam folder, or ask for another link.',
    again: 'Ask for another link',
    openTitle: 'Sign in',
    open: (name: string) => `This link is for ${name}.`,
    button: 'Sign in',
  },
  join: {
    title: 'Your account',
    lead: (email: string) => `There is no account for ${email} yet. Choose a name, and there is.`,
    name: 'Your name',
    nameHint: 'Others in the building see it beside what you report, unless you hide it there.',
    button: 'Make the account and sign in',
  },
  affected: {
    title: 'I have this too',
    hint: 'We send a link to your address. Press its button, and you are counted and told when it is fixed.',
    confirmTitle: 'Do you have this, too?',
    confirmHint:
      'Then you are counted, and told by mail when its status changes. Each mail has a link that stops them.',
    button: 'Yes, I have this too',
  },
  fixed: {
    title: 'Is it fixed?',
    resolved: (time: string) => `The office says since ${time} that it is done.`,
    notYet: 'Nothing is said by opening this page. Choose one of the two.',
    done: {
      fixed: 'Thank you. It is closed as fixed.',
      notFixed: 'Thank you. The office has been told that it is not fixed.',
    },
    answered: {
      title: 'This is answered already',
      fixed: 'It was confirmed as fixed. If there is trouble again, report it.',
      notFixed: 'Somebody has said that it is not fixed, or the office has taken it up again.',
      earlier: 'This link asked about an earlier repair. Open the incident for how it is now.',
    },
    merged: (id: number) => `This report was merged into INC-${id} and is followed up there.`,
    open: (id: number) => `Open INC-${id}`,
    signIn: 'Sign in to say whether it is fixed',
  },
  again: 'It is broken again',
  againText: (id: number) => `It is broken again, as in INC-${id}.`,
  place: {
    question: 'Where is it?',
    asset: 'Something everybody uses',
    own: (name: string) => `My flat (${name})`,
    other: 'Another flat',
    unit: 'Something inside a flat',
  },
}

/** What went wrong with these links and reports. */
export const guestProblems = {
  sign_in_link_over: {
    title: 'This link does not work any more',
    detail:
      'It was used already, or it is more than 15 minutes old. Ask for another one on the sign-in page.',
  },
  sign_in_link_elsewhere: {
    title: 'Open this link where you asked for it',
    detail:
      'For your safety it signs in only on the device and in the browser that asked for it. Open it there: nothing is used up. Or ask for another link here.',
  },
  answer_link_over: {
    title: 'This link does not work any more',
    detail: 'It is not complete, or it is more than 30 days old. Open the incident instead.',
  },
  guest_reports_full: {
    title: 'Too many reports wait for somebody to sign in',
    detail:
      'Nothing is lost: what you typed stands below. Sign in first in another tab, or try again in an hour.',
  },
}
