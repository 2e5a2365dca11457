/** What stands around every page. */
export const frame = {
  version: (version: string) => `Caretaker ${version}`,
  skip: 'Skip to the content',
  offline: 'You’re offline. This page may be out of date.',
  retry: 'Try again',
  about: (name: string) => `${name}: what’s working, what’s out of service, planned work and reports.`,
  signOut: 'Sign out',
  mainMenu: 'Main menu',
  menu: 'Menu',
  reportShort: 'Report',
  times: (zone: string) => `All times are in ${zone}.`,
  reference: 'Reference',
  share: 'Share',
  linkCopied: 'Link copied',
}

/** Whom to call in danger: on every page, sticker and lobby screen. */
export const emergency = {
  question: 'Someone trapped or in danger?',
  call: 'Call',
  public: 'Fire or injury: call',
  when: 'When to call',
}

/** The menu of the office's pages. */
export const nav = {
  label: 'Office',
  building: 'Building',
  settings: 'Settings',
  year: 'Annual report',
  display: 'Lobby screen',
}

/** The page of an error. */
export const problemPage = {
  errorPrefix: 'Error:',
  home: 'Go to the status page',
  wholeList: 'Show the whole list',
  survivor: 'Go to the report it was merged into',
  assets: 'Choose from our list',
  typed: 'We’ve kept what you typed',
  tryAgain: 'Wait a few seconds and try again.',
  withoutPhotos: 'Photos won’t be included. You can add them later.',
  sendAgain: 'Try again',
  postAsComment: 'Post as a comment',
  openAgain: 'Go back to the page',
  next: {
    list: 'Go to the list',
    desk: 'Go to the desk',
    reports: 'See all reports',
    report: 'Report a problem',
  },
  reference: (id: string) => `Reference for the building office: ${id}`,
}

/** The page of colours, type and controls. */
export const design = {
  title: 'Design',
  colours: 'Colours',
  type: 'Type',
  space: 'Spacing',
  parts: 'Components',
}
