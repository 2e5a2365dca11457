import { describe, expect, it } from 'vitest'
import {
  decideAccess,
  type Permission,
  type Principal,
  permissions,
} from '../../src/vocabulary/people/permissions.js'

const letters = { allowed: 'a', unauthenticated: '1', forbidden: '3' }

describe('the policy', () => {
  it.each(Object.keys(permissions) as Permission[])('%s', (permission) => {
    const row = everybody.map((principal) => letters[decideAccess(principal, permission)]).join('')
    expect(row).toBe(matrix[permission])
  })
})

const everybody: Principal[] = [
  'guest',
  'resident',
  'board',
  'manager',
  'admin',
  'mobile',
  'cron',
  'inbound',
  'monitor',
]

/** Who may, in the order above: a reviewer reads the policy here. a = allowed, 1 = 401, 3 = 403. */
// biome-ignore format: a table is read by columns
const matrix: Record<Permission, string> = {
  //                     grbmamciM
  'page.read':          'aaaaaa111',
  'health.read':        'aaaaaa11a',
  'status.read':        'aaaaaa111',
  'asset.read':         'aaaaaa111',
  'place.read':         'aaaaaa111',
  'photo.read':         'aaaaaa111',
  'incident.read':      'aaaaaa111',
  'session.create':     'aaaaaa111',
  'session.read':       'aaaaaa111',
  'session.delete':     'aaaaaa111',
  'account.manage':     '1aaaa3111',
  'language.choose':    '1aaaa3111',
  'contact.read':       '1aaaaa111',
  'incident.report':    '1aaaaa111',
  'incident.comment':   '1aaaaa111',
  'incident.setStatus': '13aaa3111',
  'incident.verify':    '1aaaaa111',
  'incident.answer':    'aaaaaa111',
  'incident.follow':    '1aaaaa111',
  'incident.own':       '1aaaa3111',
  'incident.merge':     '13aaa3111',
  'incident.edit':      '13aaa3111',
  'incident.hide':      '13aaa3111',
  'incident.dismiss':   '13aaa3111',
  'device.register':    '1aaaaa111',
  'triage.ask':         '1aaaaa111',
  'unsubscribe.use':    'aaaaaa111',
  'email.follow':        'aaaaaa111',
  'webhook.manage':     '13aaa3111',
  'office.read':       '13aaa3111',
  'tower.manage':      '13aaa3111',
  'contact.manage':    '13aaa3111',
  'unit.manage':       '13aaa3111',
  'asset.manage':      '13aaa3111',
  'maintenance.manage':'13aaa3111',
  'property.manage':   '13aaa3111',
  'property.secure':   '1333a3111',
  'cost.manage':       '13aaa3111',
  'incident.export':   '13aaa3111',
  'year.read':         '13aaa3111',
  'poster.print':      '13aaa3111',
  'import.run':        '13aaa3111',
  'note.write':        '13aaa3111',
  'template.manage':   '13aaa3111',
  'email.read':        '13aaa3111',
  'email.sort':         '13aaa3111',
  'delivery.read':     '13aaa3111',
  'delivery.retry':    '13aaa3111',
  'user.manage':       '1333a3111',
  'flag.manage':       '1333a3111',
  'audit.read':        '1333a3111',
  'sweep.run':          '111111a11',
  'digest.run':         '111111a11',
  'email.receive':       '1111111a1',
  'metrics.read':       '11111111a',
}
