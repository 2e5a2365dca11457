import type { Knex } from 'knex'

/** What tables and columns are for, in the words that the code uses. */
const comments: Readonly<Record<string, string>> = {
  'column account_tokens.token_hash':
    'SHA-256 of the token, which is made when its email is written and is stored nowhere.',
  'column mail_confirmations.token_hash':
    'SHA-256 of the token, which is made when its email is written and is stored nowhere.',
  'column assets.announced_status':
    'The live status that was announced last; asset.status_changed compares with it.',
  'column assets.announced_at':
    'When the last change was announced: what happened before is announced no more.',
  'column audit_entries.transaction_id':
    'With affects_status: by it a reader of the status page sees whether its copy is still exact.',
  'table events': 'Changes of which people and receivers have not been notified yet. Empty within a second.',
  'column events.actor_id': 'Who did it, and is not notified.',
  'column followers.by_choice':
    'They chose to follow. Reports and these rows together are the number of affected people, which ' +
    'does not show who reported anonymously.',
  'table held_email_photos': 'In the photo store, and shown to no one until the email is an incident.',
  'column incident_search.words': 'Of texts that everyone may read, and #id.',
  'column incident_search.office_words':
    'Of texts that only staff read: notes, and whole emails; u:id and r:word of the reporter.',
  'column incident_updates.author_label':
    'Who wrote it when that is no user: the system, or the sender of an email.',
  'column incident_updates.is_anonymous':
    'Shown without the name of its author: by the anonymous reporter, or by email from an address ' +
    'that may be theirs.',
  'column incident_updates.author_email':
    'Address of the sender of an email who is no user; shown to staff only.',
  'column incident_updates.expected_back_at':
    'The expected time that this entry announced; the columns below are its other new values.',
  'column incidents.reporter_email': 'Address of a reporter by email; shown to staff only.',
  'column incidents.unanswered_since':
    'The first comment of a resident, or by email, that the office has not reacted to.',
  'column incidents.assignee_id': 'The member of staff who is assigned.',
  'column incidents.contact_id': 'The contact, such as a contractor, that is assigned.',
  'column known_devices.device_hash':
    "SHA-256 of the browser's cookie and the user id: rows of two people do not show that they " +
    'share a browser.',
  'column maintenance_windows.known_since':
    'When the times before were entered: no one was notified of them as they passed.',
  'column merges.joined': 'It was down, and its downtime went on in the survivor.',
  'column merges.answered': 'Both were open: its assignee and its announcements went on in the survivor.',
  'column outbox.gather_key':
    'Until its first attempt, a row takes in later messages with this key: one email instead of many.',
  'column outbox.message_name':
    'Of emails to people without an account: a bounced email is recognised by it.',
  'column outbox.held_back_at': 'When a limit for emails to people without an account first delayed it.',
  'column pending_sign_ins.authenticated_at':
    'When the issuer asked for the password; null when it did not say.',
  'column properties.sending_paused_at': 'Since when no email, push or webhook leaves; null while they do.',
  'column properties.sending_paused_why':
    'restored: a copy, which an operator has not yet confirmed to replace the original; moved: the ' +
    'building runs elsewhere.',
  'column properties.office_phone': 'For people without an account; everyone may read it.',
  'column properties.sign_up':
    'Who makes accounts: the office alone, or everyone whose address is confirmed.',
  'column sessions.id_token':
    'Encrypted under a key made of SESSION_SECRET: the issuer needs it when its owner signs out ' +
    'there as well.',
  'column sign_in_links.address': 'Of a person without an account, who makes one behind the link.',
  'column users.erased_at': 'Since when no row names this person.',
  'column whole_emails.words':
    'The words it is found by, stored because an email may be long and the words of its report are ' +
    'often joined again.',
}

export async function up(knex: Knex): Promise<void> {
  for (const [what, comment] of Object.entries(comments))
    await knex.raw(`comment on ${what} is '${comment.replaceAll("'", "''")}'`)
}

/** The version before reads no comment. */
export async function down(): Promise<void> {}
