interface Pace {
  /** Messages within `every` ms; beyond them they are counted, and told as {many: n} at the end. */
  most: number
  every: number
}

/** Many pods change at once when a cluster has trouble: then a page is told to read again, not each of them. */
const usual: Pace = { most: 20, every: 1000 }

/** Tells what happens, as long as it is not too much at once. What is not told is not made either. */
export function paced(tell: (content: unknown) => void, { most, every }: Pace = usual) {
  let told = 0
  let held = 0
  let timer: NodeJS.Timeout | undefined

  const next = () => {
    timer = undefined
    told = 0
    if (held === 0) return
    const many = held
    held = 0
    timer = setTimeout(next, every)
    // It is the first of the next second, and who reads again needs none of the others.
    told = most
    tell({ many })
  }

  return {
    say: (content: () => unknown): void => {
      timer ??= setTimeout(next, every)
      if (told < most) {
        told += 1
        tell(content())
      } else held += 1
    },
    stop: (): void => clearTimeout(timer),
  }
}
