import { createServer } from 'node:http'
import { z } from 'zod'
import { completeSignIn } from '../../../src/accounts/signIn/completeSignIn.js'
import { User } from '../../../src/accounts/users/user.js'
import { createApp, createListener } from '../../../src/app/app.js'
import { Problem } from '../../../src/platform/http/problem.js'
import { answeredByHandler, page } from '../../../src/platform/http/route/answerContent.js'
import { route, routerOf } from '../../../src/platform/http/route/route.js'
import { trimmedText } from '../../../src/vocabulary/inputRules.js'
import { send } from '../client.js'
import { listenOnFreePort } from '../run/ports.js'
import type { Opened } from './asking.js'

/** The application of this process on a free port. */
export async function openApp(): Promise<Opened> {
  const [listener, entrance] = [createListener(), appWithEntrance().callback()]
  const server = createServer((req, res) =>
    req.url!.startsWith(entrancePath) ? void entrance(req, res) : listener(req, res),
  )
  // On a busy machine a kept connection ends just when it is used again.
  server.keepAliveTimeout = 0
  const { origin, stop } = await listenOnFreePort(server)
  return { origin, send, end: stop }
}

export const entrancePath = '/api/entrance-of-tests'

/** The application with one route, which does what a sign-in does after a right password. */
function appWithEntrance() {
  const entrance = route({
    method: 'post',
    paths: entrancePath,
    summary: 'Signs in without a password.',
    permission: 'session.create',
    body: z.object({ email: trimmedText('email', 320) }),
    answer: page,
    handle: async ({ ctx, body: { email } }) => {
      const { user } = await User.byAddress(email)
      if (!user?.active || user.hasSecondFactor) throw new Problem(401, 'wrong_credentials')
      const { passwordHash: _passwordHash, active: _active, ...current } = user
      await completeSignIn(ctx, current, { next: null, carriedForm: null })
      return answeredByHandler
    },
  })
  return createApp(routerOf([entrance]))
}
