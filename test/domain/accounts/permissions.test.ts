import { describe, expect, it } from 'vitest'
import {
  decide,
  type Permission,
  type Principal,
  permissions,
} from '../../../src/domain/accounts/permissions.js'

const everybody: Principal[] = ['guest', 'resident', 'board', 'manager', 'admin', 'mobile', 'cron', 'inbound']

/** Who may, in the order above: a reviewer reads the policy here. a = allowed, 1 = 401, 3 = 403. */
// biome-ignore format: a table is read by columns
const matrix: Record<Permission, string> = {
  //                     grbmamci
  'page.read':          'aaaaaa11',
  'health.read':        'aaaaaa11',
  'status.read':        'aaaaaa11',
  'asset.read':         'aaaaaa11',
  'place.read':         'aaaaaa11',
  'photo.read':         'aaaaaa11',
  'incident.read':      'aaaaaa11',
  'session.create':     'aaaaaa11',
  'session.read':       'aaaaaa11',
  'session.delete':     'aaaaaa11',
  'account.manage':     '1aaaa311',
  'language.choose':    '1aaaa311',
  'contact.read':       '1aaaaa11',
  'incident.report':    '1aaaaa11',
  'incident.comment':   '1aaaaa11',
  'incident.setStatus': '13aaa311',
  'incident.verify':    '1aaaaa11',
  'incident.follow':    '1aaaaa11',
  'incident.own':       '1aaaa311',
  'incident.merge':     '13aaa311',
  'incident.edit':      '13aaa311',
  'device.register':    '1aaaaa11',
  'triage.ask':         '1aaaaa11',
  'unsubscribe.use':    'aaaaaa11',
  'mail.follow':        'aaaaaa11',
  'webhook.manage':     '13aaa311',
  'office.read':       '13aaa311',
  'tower.manage':      '13aaa311',
  'contact.manage':    '13aaa311',
  'unit.manage':       '13aaa311',
  'asset.manage':      '13aaa311',
  'maintenance.manage':'13aaa311',
  'property.manage':   '13aaa311',
  'cost.manage':       '13aaa311',
  'incident.export':   '13aaa311',
  'poster.print':      '13aaa311',
  'import.run':        '13aaa311',
  'note.write':        '13aaa311',
  'mail.sort':         '13aaa311',
  'delivery.read':     '13aaa311',
  'delivery.retry':    '13aaa311',
  'user.manage':       '1333a311',
  'flag.manage':       '1333a311',
  'audit.read':        '1333a311',
  'sweep.run':          '111111a1',
  'digest.run':         '111111a1',
  'mail.receive':       '1111111a',
}

const letters = { allowed: 'a', unauthenticated: '1', forbidden: '3' }

describe('the policy', () => {
  it.each(Object.keys(permissions) as Permission[])('%s', (permission) => {
    const row = everybody.map((principal) => letters[decide(principal, permission)]).join('')
    expect(row).toBe(matrix[permission])
  })
})
