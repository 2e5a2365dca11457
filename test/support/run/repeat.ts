/** Does something so many times, one after another; returns what came of each. */
export async function repeat<T>(times: number, act: (i: number) => Promise<T>): Promise<T[]> {
  const outcomes: T[] = []
  for (let i = 0; i < times; i++) outcomes.push(await act(i))
  return outcomes
}
