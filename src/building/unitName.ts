/** The name of a unit: its tower and its number. */
export const unitName = (tower: string, number: string) => `${tower} · ${number}`

/** SQL: the same from `units u` and `towers t`; null without a unit. */
export const unitNameSql = `t.name || ' · ' || u.number`

/** SQL: joins `units u` and its `towers t`, if any, to a row with a `unit_id`. */
export const unitJoins = (row: string) =>
  `left join units u on u.id = ${row}.unit_id left join towers t on t.id = u.tower_id`
