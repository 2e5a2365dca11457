/** What people without a session see: reporting, the link that signs in by mail, and the answer by mail. */
export const guests = {
  kept: 'Your report is kept for an hour, with its photos. Say who you are, and it is sent at once.',
  sendAs: 'You say who you are when you send it. You can sign in with a password or with a link by mail.',
  noAccount: 'No account yet? The building office makes one for you.',
  noAccountCall: (phone: string) => `No account yet? Ask the building office: ${phone}`,
  link: {
    title: 'Without a password',
    hint: 'We send a link to the address of your account. It signs you in once, in this browser.',
    send: 'Send me a link',
    sentTitle: 'Look into your mail',
    sent: 'If this address has an account, a link is on its way to it. It works for 15 minutes.',
    here: 'Open it on this device and in this browser. Elsewhere it signs nobody in.',
    nothing: 'Nothing came? Look into the spam folder, or ask for another link.',
    again: 'Ask for another link',
    openTitle: 'Sign in',
    open: (name: string) => `This link is for ${name}.`,
    button: 'Sign in',
  },
  fixed: {
    title: 'Is it fixed?',
    resolved: (time: string) => `The office says since ${time} that it is done.`,
    notYet: 'Nothing is said by opening this page. Choose one of the two.',
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
