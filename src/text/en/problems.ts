/** What went wrong and what to do, for pages and problem documents: a title and a sentence per code. */
export const problems = {
  bad_request: { title: 'That request could not be understood', detail: 'Check the address and try again.' },
  malformed_body: {
    title: 'That request could not be read',
    detail: 'What was sent is not complete or not in the form it claims to be. Send it again.',
  },
  bad_query: {
    title: 'That filter does not exist',
    detail: 'One of the filters in the address has a value that is not known. Choose the filters again.',
  },
  unauthenticated: {
    title: 'Sign in to go on',
    detail: 'This needs you to sign in, or a key that is valid here.',
  },
  wrong_credentials: {
    title: 'Wrong email address or password',
    detail: 'Check both and try again.',
  },
  second_factor_required: {
    title: 'A code is needed, too',
    detail:
      'This account has a second factor. Send the code of the authenticator app along, or a recovery code.',
  },
  wrong_code: {
    title: 'That code is not right',
    detail: 'Each code works once, for half a minute. Wait for the next one, or use a recovery code.',
  },
  code_too_late: {
    title: 'Sign in once more',
    detail: 'The code did not come in time, or too many were wrong. Begin again with your password.',
  },
  sign_in_again: {
    title: 'Is it you?',
    detail: 'Before this is done, sign in again: it has been more than ten minutes.',
  },
  second_factor_needed: {
    title: 'Set up your second factor first',
    detail:
      'The house asks a second factor of everybody in the office. Until you have it, this is closed to you.',
  },
  second_factor_is_on: {
    title: 'Your second factor is on already',
    detail: 'Nothing was changed. Turn it off first to set it up with another phone.',
  },
  second_factor_is_off: { title: 'Your second factor is off', detail: 'Set it up first.' },
  second_factor_demanded: {
    title: 'The house asks this of everybody in the office',
    detail: 'It cannot be turned off. With another phone, ask an admin to take it away, and set it up anew.',
  },
  forbidden: {
    title: 'That is not yours to do',
    detail: 'Your account does not have the right to do this. Ask the building office if you need it.',
  },
  admin_only: {
    title: 'Only an admin can change this',
    detail: 'Nothing was saved. Ask an admin to change the setting that is named here.',
  },
  foreign_origin: {
    title: 'That came from another site',
    detail: 'For your safety we only accept forms from our own pages. Open the page here and try again.',
  },
  other_author: {
    title: 'Somebody else wrote that',
    detail:
      'It was written while another person was signed in here, and was not sent. Sign in as that person and send it again; or open the page anew and write it yourself.',
  },
  form_expired: {
    title: 'That form is too old',
    detail: 'Go back, load the page again and send the form once more.',
  },
  not_found: {
    title: 'There is nothing here',
    detail: 'The address may be mistyped, or what was here is gone.',
  },
  asset_not_found: {
    title: 'We do not know that sticker',
    detail: 'The thing this code belongs to is not on our list any more. Choose it below instead.',
  },
  method_not_allowed: {
    title: 'That does not work here',
    detail: 'This address exists, but not for that kind of request.',
  },
  timeout: { title: 'That took too long', detail: 'The connection was too slow. Try again.' },
  conflict: {
    title: 'Somebody was quicker',
    detail: 'Something changed at the same moment. Load the page again and check.',
  },
  incident_verified: {
    title: 'This incident is closed',
    detail: 'It was verified as fixed. If there is trouble again, report a new incident.',
  },
  incident_merged: {
    title: 'This report was merged into another',
    detail: 'It is followed up there. Go to the other incident and do it there.',
  },
  already_acknowledged: {
    title: 'Somebody has answered already',
    detail: 'Nothing was changed. Look at the incident for what was said.',
  },
  incident_closed: {
    title: 'It is closed',
    detail: 'Nothing was changed: what is closed is given to nobody. Open it again first.',
  },
  newer_word: {
    title: 'Somebody has written since',
    detail: 'Nothing was changed. Read the new comment before you tick the incident off.',
  },
  timeline_full: {
    title: 'No more comments fit here',
    detail:
      'Your comment was not saved. You have written as much here as one person can, or the report is full. Everything written so far stays. If there is something new, please send a new report.',
  },
  incident_not_resolved: {
    title: 'There is nothing to confirm yet',
    detail: 'Only an incident that the office has marked as resolved can be confirmed.',
  },
  merge_into_itself: { title: 'That is the same incident', detail: 'Choose another incident to merge into.' },
  merge_already_merged: {
    title: 'That was merged before',
    detail: 'This report is already part of another incident.',
  },
  merge_cycle: { title: 'Those two are one already', detail: 'The other incident was merged into this one.' },
  unmerge_not_merged: {
    title: 'There is nothing to undo',
    detail: 'This incident is not merged: it stands on its own, or somebody has undone it already.',
  },
  unmerge_too_late: {
    title: 'It is too late to undo that',
    detail: 'A merge can be undone for ten minutes. If it was wrong, report what is left as a new incident.',
  },
  unmerge_survivor_merged: {
    title: 'That was merged further',
    detail: 'The incident it was merged into is itself part of another by now. Undo that first.',
  },
  changed_meanwhile: {
    title: 'Somebody changed this meanwhile',
    detail: 'Check what it says now and make your change again.',
  },
  answered_meanwhile: {
    title: 'Something was said meanwhile',
    detail: 'Nothing was stored. Read what was said, and send yours again if it is still to be said.',
  },
  edited_meanwhile: {
    title: 'Somebody changed this meanwhile',
    detail: 'Nothing was stored. What it says now stands at each field: check it and send again.',
  },
  deleted_meanwhile: {
    title: 'Somebody deleted this meanwhile',
    detail: 'What you typed is still here. Send it to add it anew, or leave the page.',
  },
  not_failed: {
    title: 'That has not failed',
    detail: 'It was delivered, or is being tried again already. Load the list again.',
  },
  mail_nothing_new: {
    title: 'That mail says nothing new',
    detail: 'It only quotes an earlier one, so nothing was added to the incident.',
  },
  mail_sorted: {
    title: 'That mail is sorted already',
    detail: 'Somebody made an incident of it or discarded it. Load the list again.',
  },
  in_use: {
    title: 'That is still needed',
    detail: 'Other things depend on it. Archive it instead of deleting it.',
  },
  occurrence_begun: {
    title: 'That date has begun',
    detail:
      'What has begun stays as it was. Of work in progress only the end can be moved, to a time to come.',
  },
  window_does_not_repeat: {
    title: 'That work takes place once',
    detail: 'There is no single date to skip or to move. Change its times, or delete it.',
  },
  window_not_begun: {
    title: 'There is no series to end',
    detail: 'None of its dates has begun. Delete it, or give it a last day.',
  },
  mobile_reporter: {
    title: 'That account belongs to the app',
    detail: 'Everybody who reports with the mobile app does so by this account. It cannot be changed.',
  },
  user_inactive: {
    title: 'That account is not active',
    detail: 'Make it active first: an account that becomes active is invited by itself.',
  },
  user_has_history: {
    title: 'This person has a history here',
    detail:
      'Reports, comments or entries in the audit log carry the name. Make the account inactive instead.',
  },
  link_over: {
    title: 'This link does not work any more',
    detail: 'It was used already, or it is too old. Ask for a new one.',
  },
  last_admin: { title: 'There must be one admin', detail: 'Give somebody else the role first.' },
  email_taken: { title: 'That address has an account', detail: 'Use another email address.' },
  name_taken: { title: 'That name is taken', detail: 'Use another name.' },
  too_large: {
    title: 'That is too much at once',
    detail: 'Send less: fewer or smaller photos, or a shorter text.',
  },
  unsupported_type: {
    title: 'We cannot read that kind of content',
    detail: 'Send JSON or a form; pictures as JPEG, PNG, WebP or AVIF.',
  },
  type_missing: {
    title: 'We cannot tell what kind of content that is',
    detail: 'Say what you send. For JSON, send the header "Content-Type: application/json".',
  },
  invalid: { title: 'There is a problem', detail: 'Correct what is marked and send it again.' },
  idempotency_reused: {
    title: 'That key was used for something else',
    detail: 'An Idempotency-Key belongs to one request. Use a new key for a new request.',
  },
  throttled: { title: 'That was very often', detail: 'Wait a little and try again.' },
  internal: {
    title: 'Something broke on our side',
    detail: 'It was noted. Try again; if it stays, tell the building office the reference below.',
  },
  unavailable: {
    title: 'We cannot answer right now',
    detail: 'Nothing was stored. Wait a few seconds and try again.',
  },
  emails_full: {
    title: 'Too many emails are waiting to be sorted',
    detail: 'Nothing was stored. Send the email again later: the office must sort the waiting emails first.',
  },
  photo_store_away: {
    title: 'Photos cannot be stored right now',
    detail: 'Nothing was stored. Try again in a moment, or send it without photos.',
  },
  outcome_unknown: {
    title: 'We cannot say whether that worked',
    detail: 'The connection broke at the last moment. Look whether it is there before you send it again.',
  },
}

/** Which parameter of an address is wrong, and what it may be. */
export const badQuery = {
  value: (name: string) => `The parameter "${name}" has a value that is not known. Correct it.`,
  allowed: (name: string, values: string) => `The parameter "${name}" takes one of: ${values}.`,
  repeated: (name: string) => `Send the parameter "${name}" once, and without brackets.`,
}
