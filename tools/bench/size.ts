/**
 * Whether this is a run of `--tiny`: each bench then works with sizes that take seconds, which
 * shows that it starts and ends. Its figures say nothing of the product, so no goal is held against
 * them.
 */
export const isTiny = process.env.BENCH_SIZE === 'tiny'

/** One of two sizes, as the run is. */
export const sized = <T>(size: { usual: T; tiny: T }): T => (isTiny ? size.tiny : size.usual)

/** Incidents of the smaller of two buildings that are compared. */
export const history = sized({ usual: 10_000, tiny: 2_500 })

/** Incidents that the larger of the two has more than the smaller one. */
export const olderHistory = sized({ usual: 990_000, tiny: 1_000 })
