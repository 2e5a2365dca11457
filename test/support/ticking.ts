/** What an act came to, and the longest time, in ms, in which nobody else had a turn on the event loop meanwhile. */
export async function ticking<T>(act: () => Promise<T>): Promise<{ result: T; longest: number }> {
  let longest = 0
  let last = performance.now()
  const look = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
  }
  const timer = setInterval(look, 1)
  try {
    const result = await act()
    look()
    return { result, longest }
  } finally {
    clearInterval(timer)
  }
}

/** `part` again and again, up to a size in characters. */
export const filled = (part: string, size: number) =>
  part.repeat(Math.ceil(size / part.length)).slice(0, size)
