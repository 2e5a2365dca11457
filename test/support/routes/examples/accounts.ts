import { unsubscribeLink } from '../../../../src/notifications/unsubscribe/unsubscribeLinks.js'
import { query } from '../../../../src/platform/db/database.js'
import { mintLink } from '../../../../src/platform/links/emailLinks.js'
import { userIdOf } from '../../accounts.js'
import { emailFollower } from '../../email/emailFollowers.js'
import { cookieOf } from '../../house/asking.js'
import { mailedSignIn, mailedSignUp } from '../../links/signInLinks.js'
import { offeredIdentity } from '../../oidc/unusedProvider.js'
import { newBrowser, subscriptionOf } from '../../push/subscription.js'
import { codeNow, startSecondFactor } from '../../secondFactor.js'
import type { Setups } from './setups.js'
import { type Example, type Examples, unique, uniqueAddress } from './use.js'

const resident = 'resident@example.com'
const newPassword = { password: 'another quiet evening' }
const demoSignIn = { email: 'board@example.com', password: 'caretaker-demo' }
const person = () => ({ name: unique('Person'), email: uniqueAddress('new'), role: 'resident' })

type Account = { cookie: string; ids?: (number | string)[] }

/** A use of an account that is made for it, by its owner. */
function own(make: () => Promise<Account>, json: object | undefined, ...audit: string[]): Example {
  return async () => {
    const { cookie, ids } = await make()
    return { who: 'guest', cookie, ...(ids ? { ids } : {}), ...(json ? { json } : {}), audit }
  }
}

/** A use of every write to accounts, sessions and what accounts follow. */
export function accountExamples(setups: Setups): Examples {
  const { app, record, member, memberWithSecondFactor, memberTwice, memberWithBrowser } = setups
  /** A use of an account that is made for it, by the admin. */
  const other = (make: () => Promise<{ id: number }>, action: string, json: object = {}): Example => {
    return async () => ({ ids: [(await make()).id], json, audit: [action] })
  }
  const invited = async () => ({ id: await record('users', person()) })
  const passwordLink = (purpose: 'invite' | 'reset', ...audit: string[]): Example => {
    return async () => {
      const { token } = await mintLink({ purpose, who: { userId: (await invited()).id }, data: {} })
      return { who: 'guest', ids: [token], json: newPassword, audit: [...audit, 'user.signed_in'] }
    }
  }

  return {
    ...signInExamples(setups),
    ...followExamples(setups),
    'POST /admin/users': () => ({ json: person(), audit: ['user.created'] }),
    'PATCH /admin/users/:id': other(invited, 'user.updated', { name: 'Ida' }),
    'POST /admin/users/:id': other(invited, 'user.updated', { ...person(), name: 'Ida' }),
    'DELETE /admin/users/:id': async () => ({ ids: [(await invited()).id], audit: ['user.deleted'] }),
    'POST /admin/users/:id/delete': other(invited, 'user.deleted'),
    'POST /admin/users/:id/invitation': other(invited, 'user.invited'),
    'POST /admin/users/:id/sign-out': other(member, 'user.signed_out_everywhere'),
    'POST /admin/users/:id/erase': other(member, 'user.erased'),
    'POST /admin/users/:id/unlink': other(setups.linkedMember, 'user.identities_removed'),
    'POST /admin/users/:id/second-factor-reset': other(memberWithSecondFactor, 'user.second_factor_reset'),
    'POST /admin/users/invitations': async () => {
      await invited()
      await query(`delete from outbox where event = 'account.invited'`)
      return { json: {}, audit: ['user.all_invited'] }
    },

    'PATCH /account': own(member, { name: 'Renamed' }, 'user.updated'),
    'POST /account': own(member, { name: 'Renamed', locale: 'en' }, 'user.updated'),
    'POST /account/erase': own(member, {}, 'user.erased'),
    'POST /account/followed': own(member, { followed: 'status' }, 'user.updated'),
    'POST /account/notifications': own(member, { on: ['status.mail'] }, 'user.updated'),
    'POST /account/password': own(
      member,
      { currentPassword: 'caretaker-demo', ...newPassword },
      'user.password_changed',
    ),
    'DELETE /account/sessions': own(memberTwice, undefined, 'user.signed_out_elsewhere'),
    'POST /account/sessions/end': own(memberTwice, {}, 'user.signed_out_elsewhere'),
    'DELETE /account/sessions/:id': own(memberTwice, undefined, 'user.session_ended'),
    'POST /account/sessions/:id/end': own(memberTwice, {}, 'user.session_ended'),
    'POST /account/browsers': own(member, subscriptionOf(newBrowser()), 'device.registered'),
    'DELETE /account/browsers/:id': own(memberWithBrowser, undefined, 'device.removed'),
    'POST /account/browsers/:id/remove': own(memberWithBrowser, {}, 'device.removed'),
    'POST /account/identities': own(member, {}, 'user.identity_link_started'),
    'POST /account/identities/confirmation': async () => {
      const { id, cookie } = await member()
      const json = { offer: await offeredIdentity(id) }
      return { who: 'guest', cookie, json, audit: ['user.identity_linked'] }
    },
    'POST /account/identities/:id/unlink': own(setups.linkedMember, {}, 'user.identity_unlinked'),
    'DELETE /account/identities/:id': own(setups.linkedMember, undefined, 'user.identity_unlinked'),
    'POST /account/second-factor': own(member, {}, 'user.second_factor_started'),
    'POST /account/second-factor/confirmation': async () => {
      const { cookie } = await member()
      const json = { code: codeNow(await startSecondFactor(app, cookie)) }
      return { who: 'guest', cookie, json, audit: ['user.second_factor_on'] }
    },
    'POST /account/second-factor/recovery-codes': own(memberWithSecondFactor, {}, 'user.recovery_codes_made'),
    'POST /account/second-factor/off': own(memberWithSecondFactor, {}, 'user.second_factor_off'),
    'DELETE /account/second-factor': own(memberWithSecondFactor, undefined, 'user.second_factor_off'),

    'POST /invitation/:token': passwordLink('invite', 'user.invitation_accepted'),
    'POST /auth/invitation/:token': passwordLink('invite', 'user.invitation_accepted'),
    'POST /reset-password/:token': passwordLink('reset', 'user.password_reset'),
    'POST /auth/reset-password/:token': passwordLink('reset', 'user.password_reset'),
    'POST /devices': () => ({
      who: 'resident',
      json: { token: unique('token'), platform: 'ios' },
      audit: ['device.registered'],
    }),
    'POST /language': async () => {
      await query(`update users set locale = 'xx' where email = 'board@example.com'`)
      return { who: 'board', json: { locale: 'en' }, audit: ['user.updated'] }
    },
  }
}

function signInExamples({ app, member, memberWithSecondFactor }: Setups): Examples {
  const signUp = async () => ({
    who: 'guest' as const,
    ...(await mailedSignUp(app, uniqueAddress('new'))),
    json: { name: 'Ida Lindqvist' },
    audit: ['user.signed_in'],
    // No account asked for the account.
    systemAudit: ['user.signed_up'],
  })
  const emailCode = async () => {
    const { code, cookie } = await mailedSignIn(app)
    const systemAudit = ['user.sign_in_code_used']
    return { who: 'guest' as const, cookie, json: { code }, audit: ['user.signed_in'], systemAudit }
  }
  return {
    'POST /sign-in': () => ({ who: 'guest', json: demoSignIn, audit: ['user.signed_in'] }),
    'POST /auth/sign-in/email': () => ({ who: 'guest', json: demoSignIn, audit: ['user.signed_in'] }),
    'POST /sign-in/code': async () => {
      const { email, code } = await memberWithSecondFactor()
      const begun = await app.submit('guest', '/sign-in', { email, password: 'caretaker-demo' })
      const json = { code: await code() }
      return { who: 'guest', cookie: cookieOf(begun), json, audit: ['user.code_accepted', 'user.signed_in'] }
    },
    'POST /auth/sign-in/code': async () => {
      const { email, code } = await memberWithSecondFactor()
      const begun = await app.submit('guest', '/sign-in', { email, password: 'caretaker-demo' })
      const json = { code: await code() }
      return { who: 'guest', cookie: cookieOf(begun), json, audit: ['user.code_accepted', 'user.signed_in'] }
    },
    'POST /sign-in/resume': own(member, { typed: '' }),
    'POST /sign-in/link': () => ({
      who: 'guest',
      json: { email: resident },
      systemAudit: ['user.sign_in_link_asked'],
    }),
    'POST /auth/sign-in/link': () => ({
      who: 'guest',
      json: { email: resident },
      systemAudit: ['user.sign_in_link_asked'],
    }),
    'POST /sign-in/link-sent': emailCode,
    'POST /auth/sign-in/link-code': emailCode,
    'POST /sign-in/link/:token': async () => {
      const audit = ['user.sign_in_link_used', 'user.signed_in']
      return { who: 'guest', ...(await mailedSignIn(app)), json: {}, audit }
    },
    'POST /sign-up/:token': signUp,
    'POST /auth/sign-up/:token': signUp,
    'POST /forgot-password': () => ({
      who: 'guest',
      json: { email: 'board@example.com' },
      systemAudit: ['user.reset_requested'],
    }),
    'POST /auth/forgot-password': () => ({
      who: 'guest',
      json: { email: 'manager@example.com' },
      systemAudit: ['user.reset_requested'],
    }),
    'POST /sign-out': own(member, {}, 'user.signed_out'),
    'POST /auth/sign-out': own(member, {}, 'user.signed_out'),
  }
}

function followExamples({ app, member, memberWhoFollows }: Setups): Examples {
  return {
    'POST /follows': own(member, { assetId: 1 }, 'user.followed'),
    'DELETE /follows/:id': own(memberWhoFollows, {}, 'user.unfollowed'),
    'POST /follows/:id/end': own(memberWhoFollows, {}, 'user.unfollowed'),
    'POST /follow': () => ({
      who: 'guest',
      json: { email: uniqueAddress('jo'), assetId: 1 },
      systemAudit: ['mail_follower.asked'],
    }),
    'POST /follow/:token': async () => {
      const who = { emailFollowerId: await emailFollower(uniqueAddress('jo')) }
      const { token } = await mintLink({ purpose: 'follow', who, data: { followed: 'asset:1' } })
      return { who: 'guest', ids: [token], json: {}, systemAudit: ['mail_follower.confirmed'] }
    },
    'POST /unsubscribe/:token': async () => ({
      who: 'guest',
      ids: [(await mintLink(unsubscribeLink({ userId: await userIdOf(resident) }, 'status'))).token],
      json: {},
      audit: ['user.unsubscribed'],
    }),
    'POST /unsubscribe/:token/undo': async () => {
      const { token } = await mintLink(unsubscribeLink({ userId: await userIdOf(resident) }, 'merged'))
      await app.ask('guest', `/unsubscribe/${token}`, { json: {} })
      return { who: 'guest', ids: [token], json: {}, audit: ['user.resubscribed'] }
    },
  }
}
