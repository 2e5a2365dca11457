import { describe, expect, it } from 'vitest'
import { impactOf, liveStatus, overallStatus, summarise } from '../../src/vocabulary/assetStatus.js'
import { affectsStatus, changesBetween } from '../../src/vocabulary/audit.js'
import { parseId } from '../../src/vocabulary/limits.js'
import { acknowledgeBy, defaultSlaTargets, nextSeverity } from '../../src/vocabulary/severity.js'

describe('live status of an asset', () => {
  it.each([
    ['nothing', [], false, 'operational'],
    ['a window', [], true, 'maintenance'],
    ['a scratch', [{ isDowntime: false, severity: 'low' }], false, 'operational'],
    ['a scratch during a window', [{ isDowntime: false, severity: 'low' }], true, 'maintenance'],
    ['a medium incident', [{ isDowntime: false, severity: 'medium' }], false, 'degraded'],
    ['a critical one that is no downtime', [{ isDowntime: false, severity: 'critical' }], false, 'degraded'],
    ['a medium incident during a window', [{ isDowntime: false, severity: 'medium' }], true, 'degraded'],
    ['downtime', [{ isDowntime: true, severity: 'low' }], false, 'down'],
    [
      'downtime during a window beside others',
      [
        { isDowntime: false, severity: 'high' },
        { isDowntime: true, severity: 'high' },
      ],
      true,
      'down',
    ],
  ] as const)('with %s', (_what, incidents, inMaintenance, expected) => {
    const running = incidents.flatMap((fields) => {
      const impact = impactOf({ assetId: 1, resolvedAt: null, mergedIntoId: null, ...fields })
      return impact === null ? [] : [{ impact }]
    })
    expect(liveStatus(running, inMaintenance)).toBe(expected)
  })

  it('is summarised by counting, and the worst one names the whole', () => {
    const assets = (['operational', 'down', 'maintenance', 'operational'] as const).map((status) => ({
      status,
    }))
    const summary = summarise(assets)
    expect(summary).toEqual({ total: 4, operational: 2, degraded: 0, down: 1, maintenance: 1 })
    expect(overallStatus(summary)).toBe('down')
    expect(overallStatus(summarise([]))).toBe('operational')
  })
})

describe('severity', () => {
  it('rises one level, at most to critical', () => {
    expect((['low', 'medium', 'high', 'critical'] as const).map(nextSeverity)).toEqual([
      'medium',
      'high',
      'critical',
      'critical',
    ])
  })

  it('has targets in elapsed hours, across a clock change too', () => {
    const created = new Date('2026-03-28T22:00:00Z')
    expect(acknowledgeBy(created, 'high', defaultSlaTargets).toISOString()).toBe('2026-03-29T22:00:00.000Z')
    expect(acknowledgeBy(created, 'low', { ...defaultSlaTargets, low: 0.5 }).toISOString()).toBe(
      '2026-03-28T22:30:00.000Z',
    )
  })
})

describe('ids', () => {
  it.each([
    '0',
    '-1',
    '01',
    '1.5',
    '1e3',
    '0x10',
    ' 1',
    '1 ',
    '١',
    '1;--',
    'NaN',
    '',
    '2147483648',
    '9007199254740993',
    undefined,
  ])('%j is none', (text) => expect(parseId(text)).toBeNull())

  it('are decimal and fit an integer column', () => {
    expect(parseId('1')).toBe(1)
    expect(parseId('2147483647')).toBe(2_147_483_647)
  })
})

describe('what an audit entry says', () => {
  it('names what changed, and only that', () => {
    expect(changesBetween({ a: 1, b: [1], c: null }, { a: 2, b: [1], c: null })).toEqual({
      a: { before: 1, after: 2 },
    })
  })

  it('masks secrets whichever way they change', () => {
    expect(changesBetween({ secret: 'x' }, { secret: 'y' })).toEqual({
      secret: { before: '••••', after: '••••' },
    })
    expect(changesBetween(null, { passwordHash: 'x' })).toEqual({
      passwordHash: { before: null, after: '••••' },
    })
  })

  it('knows what the status view is made of', () => {
    expect(affectsStatus('incident', 'incident.created', {})).toBe(true)
    expect(affectsStatus('incident', 'incident.commented', {})).toBe(true)
    expect(affectsStatus('user', 'user.signed_in', {})).toBe(false)
    expect(affectsStatus('maintenance_window', 'maintenance_window.deleted', {})).toBe(true)
    const role = { role: { before: 'resident', after: 'board' } }
    for (const action of ['user.updated', 'user.role_mapped', 'user.made_admin'])
      expect(affectsStatus('user', action, role)).toBe(true)
    expect(affectsStatus('user', 'user.updated', { name: { before: 'A', after: 'B' } })).toBe(false)
  })
})
