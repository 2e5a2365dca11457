import type { Digest } from '../../../src/notifications/digest/digest.js'

const weeks = (thisWeek: number, weekBefore: number) => ({ thisWeek, weekBefore })

/** A week of a real building: one bad lift, a few small things, two people waiting. */
export const eventfulWeek: Digest = {
  from: '2026-11-09T07:05:00.000Z',
  to: '2026-11-16T07:05:00.000Z',
  towers: [
    {
      name: 'North Tower',
      hours: weeks(12.34, 3),
      assets: [
        { id: 1, name: 'North left lift', status: 'degraded', hours: weeks(10.82, 2) },
        { id: 2, name: 'North right lift', status: 'operational', hours: weeks(0, 0) },
        { id: 3, name: 'North main entrance', status: 'operational', hours: weeks(1.52, 0) },
        { id: 4, name: 'Water pumps', status: 'operational', hours: weeks(0, 1) },
        { id: 5, name: 'North stair lighting', status: 'operational', hours: weeks(0, 0) },
        { id: 6, name: 'Bin store', status: 'operational', hours: weeks(0, 0.01) },
      ],
    },
    {
      name: 'South Tower',
      hours: weeks(0, 17.5),
      assets: [
        { id: 7, name: 'South lift', status: 'operational', hours: weeks(0, 17.5) },
        { id: 8, name: 'South main entrance', status: 'operational', hours: weeks(0, 0) },
      ],
    },
  ],
  counts: { created: weeks(9, 6), resolved: weeks(7, 8), verified: weeks(5, 2) },
  unacknowledged: {
    total: 3,
    oldest: [
      {
        id: 41,
        title: 'The door of the bike room does not lock any more when it rains',
        severity: 'medium',
        createdAt: '2026-11-11T09:00:00.000Z',
        where: 'South main entrance',
      },
      {
        id: 44,
        title: 'Water stain on the ceiling',
        severity: 'low',
        createdAt: '2026-11-16T05:30:00.000Z',
        where: '',
      },
    ],
  },
  maintenance: [
    {
      title: 'Yearly inspection',
      assetName: 'North right lift',
      towerName: 'North Tower',
      startsAt: '2026-11-18T09:00:00.000Z',
      endsAt: '2026-11-18T12:00:00.000Z',
    },
    {
      title: 'New door closers',
      assetName: 'South main entrance',
      towerName: 'South Tower',
      startsAt: '2026-11-24T22:00:00.000Z',
      endsAt: '2026-11-25T05:00:00.000Z',
    },
  ],
}

/** A week in which nothing happened. */
export const quietWeek: Digest = {
  ...eventfulWeek,
  towers: eventfulWeek.towers.map((tower) => ({
    ...tower,
    hours: weeks(0, 0),
    assets: tower.assets.map((asset) => ({ ...asset, status: 'operational' as const, hours: weeks(0, 0) })),
  })),
  counts: { created: weeks(0, 1), resolved: weeks(0, 0), verified: weeks(0, 0) },
  unacknowledged: { total: 0, oldest: [] },
  maintenance: [],
}
