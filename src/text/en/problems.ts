import { undoMinutes } from '../../vocabulary/limits.js'
import { freshMinutes } from '../../vocabulary/people/actor.js'
/**
 * What went wrong and what to do, for pages and problem documents: a title and a sentence per code.
 */
export const problems = {
  bad_request: { title: 'We couldn’t understand that request', detail: 'Check the address and try again.' },
  malformed_body: {
    title: 'We couldn’t read that request',
    detail: 'The content is incomplete or in the wrong format. Check it and send it again.',
  },
  bad_query: {
    title: 'That filter doesn’t exist',
    detail: 'Choose the filters again, or show the whole list.',
  },
  unauthenticated: {
    title: 'Sign in to continue',
    detail: 'You need to sign in or send a valid key.',
  },
  wrong_credentials: {
    title: 'Wrong email address or password',
    detail: 'Check both and try again.',
  },
  second_factor_required: {
    title: 'Enter your code',
    detail:
      'This account uses two-step sign-in. Send the code from the authenticator app, or a recovery code.',
  },
  wrong_code: {
    title: 'That code is wrong',
    detail: 'Each code works once, for 30 seconds. Wait for the next one, or use a recovery code.',
  },
  email_code_wrong: {
    title: 'That code doesn’t work',
    detail:
      'It’s wrong, used or expired. Use the code in the newest email, open its link, or request another.',
  },
  code_too_late: {
    title: 'Sign in again',
    detail: 'You ran out of time or entered too many wrong codes. Start again with your password.',
  },
  sign_in_again: {
    title: 'Confirm it’s you',
    detail: `You signed in more than ${freshMinutes} minutes ago. Sign in again to continue.`,
  },
  second_factor_needed: {
    title: 'Set up two-step sign-in first',
    detail: 'All staff must set up two-step sign-in before they can use the office pages.',
  },
  second_factor_is_on: {
    title: 'Two-step sign-in is already on',
    detail: 'Nothing has changed. To use another phone, turn it off first.',
  },
  second_factor_is_off: { title: 'Two-step sign-in is off', detail: 'Set it up first.' },
  second_factor_demanded: {
    title: 'Two-step sign-in is required for staff',
    detail: 'You can’t turn it off. If you have a new phone, ask an admin to reset it, then set it up again.',
  },
  forbidden: {
    title: 'You don’t have access',
    detail: 'Ask the building office if you need it.',
  },
  admin_only: {
    title: 'Only an admin can change this',
    detail: 'Nothing has been saved. Ask an admin to change the setting shown here.',
  },
  foreign_origin: {
    title: 'We couldn’t accept that form',
    detail: 'For your security, we only accept forms from our own pages. Open the page here and try again.',
  },
  other_author: {
    title: 'Someone else is signed in',
    detail:
      'This was written while another person was signed in here, so we haven’t sent it. Sign in as that person to send it, or reload the page and write it yourself.',
  },
  form_expired: {
    title: 'This form has expired',
    detail: 'Go back, reload the page and send the form again.',
  },
  not_found: {
    title: 'Page not found',
    detail: 'Check the address. The page may have moved or been deleted.',
  },
  asset_not_found: {
    title: 'We don’t recognise this sticker',
    detail: 'It may be damaged, or for something that’s no longer here. Choose from the list below.',
  },
  method_not_allowed: {
    title: 'That’s not possible here',
    detail: 'This address doesn’t accept that kind of request.',
  },
  timeout: { title: 'That took too long', detail: 'Your connection was too slow. Try again.' },
  conflict: {
    title: 'Someone else just changed this',
    detail: 'Reload the page and check before you try again.',
  },
  incident_verified: {
    title: 'This report is closed',
    detail: 'The fix has been confirmed. If the problem comes back, report it again.',
  },
  incident_merged: {
    title: 'This report was merged into another',
    detail: 'Go to the other report and make your change there.',
  },
  already_acknowledged: {
    title: 'Already acknowledged',
    detail: 'Nothing has changed. Open the report to see the latest update.',
  },
  incident_closed: {
    title: 'This report is closed',
    detail: 'Nothing has changed: you can’t assign a closed report. Reopen it first.',
  },
  newer_word: {
    title: 'New comment',
    detail: 'Nothing has changed. Read the new comment, then mark the report as read.',
  },
  timeline_full: {
    title: 'This report is full',
    detail:
      'Your comment wasn’t saved. You’ve reached the limit for one person, or the report has. Earlier comments are kept. If you have something new to say, please send a new report.',
  },
  incident_not_resolved: {
    title: 'Someone answered before you',
    detail:
      'Or the office hasn’t marked this report as fixed yet. Open the report to see its current status.',
  },
  merge_into_itself: { title: 'That’s the same report', detail: 'Choose another report to merge into.' },
  merge_already_merged: {
    title: 'Already merged',
    detail: 'This report is already part of another report.',
  },
  merge_cycle: { title: 'Already merged', detail: 'The other report was merged into this one.' },
  unmerge_not_merged: {
    title: 'Nothing to undo',
    detail: 'This report isn’t merged. Someone may have undone it already.',
  },
  unmerge_too_late: {
    title: 'Too late to undo',
    detail: `You can undo a merge for ${undoMinutes} minutes. If the merge was wrong, create a new report.`,
  },
  undo_too_late: {
    title: 'Too late to undo',
    detail: `You can undo this only for ${undoMinutes} minutes.`,
  },
  undelete_blocked: {
    title: 'This can’t be restored',
    detail: 'Its name is in use again, or what it belonged to has been deleted. Add it again instead.',
  },
  unmerge_survivor_merged: {
    title: 'That report has also been merged',
    detail: 'The report it was merged into is now part of another report. Undo that merge first.',
  },
  changed_meanwhile: {
    title: 'Someone else just changed this',
    detail: 'Check what it says now and make your change again.',
  },
  answered_meanwhile: {
    title: 'Someone else has just replied',
    detail: 'Your update hasn’t been sent. Read the reply, then send your update again if it’s still needed.',
  },
  edited_meanwhile: {
    title: 'Someone else just changed this',
    detail: 'Nothing has been saved. The current value is shown at each field: check it and save again.',
  },
  deleted_meanwhile: {
    title: 'This was deleted',
    detail: 'We’ve kept what you typed. Send again to recreate it.',
  },
  not_failed: {
    title: 'Nothing to retry',
    detail: 'It has been delivered or is already being retried. Reload the list.',
  },
  webhook_not_retried: {
    title: 'Webhooks aren’t resent',
    detail: 'Each event is sent to a webhook once. Only emails and app notifications can be retried.',
  },
  email_nothing_new: {
    title: 'This email has no new text',
    detail: 'It only quotes an earlier one, so nothing was added to the report.',
  },
  email_sorted: {
    title: 'This email has already been sorted',
    detail: 'Someone has accepted or discarded it. Reload the list.',
  },
  in_use: {
    title: 'Still in use',
    detail: 'Other records depend on this. Move or delete those first, or archive this instead.',
  },
  occurrence_begun: {
    title: 'Already started',
    detail: 'You can only change when it ends, and only to a future time.',
  },
  window_does_not_repeat: {
    title: 'This work doesn’t repeat',
    detail: 'There’s no single date to skip or move. Change its times, or delete it.',
  },
  window_not_begun: {
    title: 'This series hasn’t started',
    detail: 'There’s nothing to end yet. Delete it, or set a “Repeat until” date.',
  },
  mobile_reporter: {
    title: 'This is the app account',
    detail: 'It’s used for reports sent from the mobile app, so it can’t be changed.',
  },
  user_inactive: {
    title: 'This account is inactive',
    detail: 'Make it active first. We’ll then send an invitation automatically.',
  },
  user_has_history: {
    title: 'This person has past reports',
    detail: 'Their name is on reports, comments or audit log entries. Make the account inactive instead.',
  },
  link_over: {
    title: 'This link has expired',
    detail: 'It’s been used already or is too old. Request a new one.',
  },
  last_admin: { title: 'You need at least one admin', detail: 'Make someone else an admin first.' },
  email_taken: {
    title: 'This email address is already in use',
    detail: 'Use another email address.',
  },
  name_taken: { title: 'This name is already in use', detail: 'Use another name.' },
  too_large: {
    title: 'Too large',
    detail: 'Send fewer or smaller photos, or a shorter text.',
  },
  unsupported_type: {
    title: 'We can’t read that kind of content',
    detail: 'Send JSON or a form. Photos can be JPEG, PNG, WebP, AVIF or HEIC.',
  },
  type_missing: {
    title: 'We can’t tell what kind of content that is',
    detail: 'Say what you’re sending. For JSON, use the header "Content-Type: application/json".',
  },
  invalid: { title: 'There is a problem', detail: 'Fix the errors below.' },
  sent_before: {
    title: 'You’ve already sent this',
    detail: 'We’ve stored it once. Do you want to send it a second time?',
  },
  idempotency_reused: {
    title: 'That key was used for something else',
    detail: 'An Idempotency-Key belongs to one request. Use a new key for a new request.',
  },
  throttled: { title: 'Too many requests', detail: 'You can try again later.' },
  internal: {
    title: 'Sorry, something went wrong',
    detail: 'Try again. If it keeps happening, give the building office this reference.',
  },
  unavailable: {
    title: 'Sorry, the service is unavailable',
    detail: 'Nothing has been saved. Wait a few seconds and try again.',
  },
  email_fields_unknown: {
    title: 'This isn’t an email in a form we know',
    detail:
      'Nothing has been saved. There’s no field for a subject, text or HTML. Set your email provider up as the guide says, or send the whole email as “message/rfc822”.',
  },
  emails_full: {
    title: 'Too many emails are waiting to be sorted',
    detail:
      'Nothing has been saved. Send the email again later: the office must sort the waiting emails first.',
  },
  photo_store_away: {
    title: 'We can’t save photos right now',
    detail: 'Nothing has been saved. Wait a few seconds and try again, or send without photos.',
  },
  outcome_unknown: {
    title: 'We don’t know if that worked',
    detail: 'The connection was lost. Check before sending again.',
  },
  export_busy: {
    title: 'Downloads are busy',
    detail: 'Try again in a minute.',
  },
}

/** When a request that was refused as one too many is taken again. */
export const throttled = {
  wait: (seconds: number) => `Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
  until: (time: string) => `Try again after ${time}.`,
  attempts: 'Too many attempts',
  codeInstead: 'Or sign in now with a code by email: use the button below.',
  linkInstead: 'The link in the email still works.',
}

/** The question before the same form is stored a second time. */
export const sentBefore = {
  justNow: 'You sent this just now',
  title: (ago: string) => `You sent this ${ago}`,
  send: 'Send it all the same',
  open: 'Open what you sent',
  openIncident: (id: string) => `Open INC-${id}`,
}

/** Which parameter of an address is wrong, and what it may be. */
export const badQuery = {
  value: (name: string) => `The parameter "${name}" has an unknown value. Correct it.`,
  allowed: (name: string, values: string) => `The parameter "${name}" must be one of: ${values}.`,
  time: (name: string) =>
    `The parameter "${name}" must be a day such as 2026-05-31 or a time such as 2026-05-31T09:30:00Z.`,
  number: (name: string, from: number, to: number) =>
    `The parameter "${name}" must be a whole number from ${from} to ${to}.`,
  repeated: (name: string) => `Send the parameter "${name}" once, without brackets.`,
}

/** What was not found, for programs: by the word of its address. People read `not_found`. */
export const notFound = {
  titles: {
    incidents: 'Report not found',
    assets: 'Asset not found',
    units: 'Flat not found',
    towers: 'Tower not found',
    contacts: 'Contact not found',
    maintenance: 'Planned work not found',
    webhooks: 'Webhook not found',
    deliveries: 'Delivery not found',
    users: 'User not found',
    audit: 'Audit entry not found',
    'held-emails': 'Email not found',
    emails: 'Email not found',
    photos: 'Photo not found',
    templates: 'Reply template not found',
    follows: 'Subscription not found',
    flags: 'Feature not found',
    costs: 'Repair cost not found',
    sessions: 'Session not found',
    browsers: 'Browser not found',
    identities: 'Identity not found',
    year: 'Year not found',
    import: 'Kind of import not found',
  },
  anything: 'Not found',
  detail: 'There is nothing with this ID or address. It may have been deleted.',
}
