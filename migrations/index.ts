import type { Knex } from 'knex'
import * as building from './20261121090000_building.js'
import * as people from './20261121090100_people.js'
import * as incidents from './20261121090200_incidents.js'
import * as maintenanceWindows from './20261121090300_maintenance_windows.js'
import * as audit from './20261121090400_audit.js'
import * as deliveries from './20261121090500_deliveries.js'
import * as bookkeeping from './20261121090600_bookkeeping.js'
import * as jobRuns from './20261121100000_job_runs.js'
import * as inboundMessages from './20261121100100_inbound_messages.js'
import * as hiddenAuthors from './20261121110000_hidden_authors.js'
import * as accountTokens from './20261121120000_account_tokens.js'
import * as failedDeliveries from './20261121120100_failed_deliveries.js'
import * as desk from './20261121130000_desk.js'
import * as expectedBack from './20261121140000_expected_back.js'
import * as followsByChoice from './20261121140100_follows_by_choice.js'
import * as webhookEvents from './20261121150000_webhook_events.js'
import * as outboxReferences from './20261121150100_outbox_references.js'
import * as mailVoice from './20261122092000_mail_voice.js'
import * as heldMails from './20261122093000_held_mails.js'
import * as secondFactor from './20261122095000_second_factor.js'
import * as assetImpacts from './20261122100000_asset_impacts.js'
import * as hearing from './20261122101000_hearing.js'
import * as mailFollowers from './20261122102000_mail_followers.js'
import * as mailAnswers from './20261122103000_mail_answers.js'
import * as maintenanceExceptions from './20261122104000_maintenance_exceptions.js'
import * as mergeUndo from './20261122105000_merge_undo.js'
import * as photoStore from './20261122120000_photo_store.js'
import * as singleSignOn from './20261122121000_single_sign_on.js'
import * as successor from './20261122123000_successor.js'
import * as sending from './20261122124000_sending.js'
import * as answers from './20261122135000_answers.js'
import * as guestReports from './20261122136000_guest_reports.js'
import * as front from './20261122137000_front.js'
import * as webhookBodies from './20261122138000_webhook_bodies.js'
import * as incidentSearch from './20261122138100_incident_search.js'
import * as protection from './20261122139000_protection.js'
import * as erasure from './20261122139100_erasure.js'
import * as costs from './20261122140000_costs.js'
import * as mergedAnswers from './20261122141000_merged_answers.js'
import * as webPush from './20261123120000_web_push.js'
import * as signUp from './20261123122000_sign_up.js'
import * as assetContacts from './20261123124000_asset_contacts.js'
import * as statusAndSeverity from './20261123180000_status_and_severity.js'
import * as emailLimits from './20261124193000_email_limits.js'

/**
 * A dated migration: its name must not change once it has run anywhere. `transaction: false`: each of its statements
 * is a transaction of its own, for indexes built concurrently; it must bear being run again from its start.
 */
export type Migration = {
  name: string
  transaction?: boolean
  up: (knex: Knex) => Promise<void>
  down: (knex: Knex) => Promise<void>
}

/** Every migration, oldest first. A list, because sources and compiled files must have the same names. */
export const migrations: readonly Migration[] = [
  { name: '20261121090000_building', ...building },
  { name: '20261121090100_people', ...people },
  { name: '20261121090200_incidents', ...incidents },
  { name: '20261121090300_maintenance_windows', ...maintenanceWindows },
  { name: '20261121090400_audit', ...audit },
  { name: '20261121090500_deliveries', ...deliveries },
  { name: '20261121090600_bookkeeping', ...bookkeeping },
  { name: '20261121100000_job_runs', ...jobRuns },
  { name: '20261121100100_inbound_messages', ...inboundMessages },
  { name: '20261121110000_hidden_authors', ...hiddenAuthors },
  { name: '20261121120000_account_tokens', ...accountTokens },
  { name: '20261121120100_failed_deliveries', ...failedDeliveries },
  { name: '20261121130000_desk', ...desk },
  { name: '20261121140000_expected_back', ...expectedBack },
  { name: '20261121140100_follows_by_choice', ...followsByChoice },
  { name: '20261121150000_webhook_events', ...webhookEvents },
  { name: '20261121150100_outbox_references', ...outboxReferences },
  { name: '20261122092000_mail_voice', ...mailVoice },
  { name: '20261122093000_held_mails', ...heldMails },
  { name: '20261122095000_second_factor', ...secondFactor },
  { name: '20261122100000_asset_impacts', ...assetImpacts },
  { name: '20261122101000_hearing', ...hearing },
  { name: '20261122102000_mail_followers', ...mailFollowers },
  { name: '20261122103000_mail_answers', ...mailAnswers },
  { name: '20261122104000_maintenance_exceptions', ...maintenanceExceptions },
  { name: '20261122105000_merge_undo', ...mergeUndo },
  { name: '20261122120000_photo_store', ...photoStore },
  { name: '20261122121000_single_sign_on', ...singleSignOn },
  { name: '20261122123000_successor', ...successor },
  { name: '20261122124000_sending', ...sending },
  { name: '20261122135000_answers', ...answers },
  { name: '20261122136000_guest_reports', ...guestReports },
  { name: '20261122137000_front', ...front },
  { name: '20261122138000_webhook_bodies', ...webhookBodies },
  { name: '20261122138100_incident_search', ...incidentSearch },
  { name: '20261122139000_protection', ...protection },
  { name: '20261122139100_erasure', ...erasure },
  { name: '20261122140000_costs', ...costs },
  { name: '20261122141000_merged_answers', ...mergedAnswers },
  { name: '20261123120000_web_push', ...webPush },
  { name: '20261123122000_sign_up', ...signUp },
  { name: '20261123124000_asset_contacts', ...assetContacts },
  { name: '20261123180000_status_and_severity', ...statusAndSeverity },
  { name: '20261124193000_email_limits', ...emailLimits },
]
