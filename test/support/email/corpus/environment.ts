/** The settings of the building that the samples write to. */
export const corpusEnvironment = {
  MAIL_FROM: 'Larkspur Court <caretaker@house.example>',
  INBOUND_ADDRESS: 'reports@house.example',
  INBOUND_AUTHSERV_ID: 'mx.house.example',
}

// Imported before anything of ours, which reads the environment when it is first needed.
Object.assign(process.env, corpusEnvironment)
