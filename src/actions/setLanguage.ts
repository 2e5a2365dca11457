import { change } from '../change.js'
import type { Actor } from '../domain/actor.js'
import { changesBetween } from '../domain/audit.js'

/** Keeps the language a person is spoken and written to in. */
export async function setLanguage(actor: Actor, locale: string): Promise<void> {
  await change(actor, async (c) => {
    const [before] = await c.query<{ locale: string }>('select locale from users where id = $1 for update', [
      actor.id,
    ])
    const changes = changesBetween(before ?? null, { locale })
    if (!before || Object.keys(changes).length === 0) return c.unchanged()
    await c.query('update users set locale = $2 where id = $1', [actor.id, locale])
    c.audit('user.updated', actor.id, changes)
  })
}
