import { config } from '../../../src/platform/process/config.js'

/** The building has an address on the web, one for email, and a server that proves senders. */
export function setBuildingAddress(): void {
  config.publicUrl = 'https://building.example'
  config.email.inboundAddress = 'reports@building.example'
  config.email.authserv = 'mx.building.example'
}
