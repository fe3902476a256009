/** A shorter part matches many rows that the whole text does not, and reading those costs more than the index saves. */
const partLength = 8
/** For shorter texts the index compares only few lists anyway. */
const worthIt = 14

export interface Part {
  part: string
  /** The share of samples that contain the part: 0 to 1. */
  share: number
}

const windows = (characters: readonly string[], length: number): string[] =>
  characters
    .slice(0, Math.max(0, characters.length - length + 1))
    .map((_, at) => characters.slice(at, at + length).join(''))

/**
 * The part of a text that the fewest samples contain; among equals the one with the rarest trigrams. A trigram index
 * compares the lists of all trigrams of its lookup: for a long, mostly common text, looking up the rare part alone is
 * several times faster. A part that is not rare would match too much that the whole text does not; then the whole text
 * is looked up.
 */
export function rarestPart(samples: readonly string[], text: string, rare = 0.002): Part {
  const known = new Map<string, number>()
  const shareOf = (part: string): number => {
    let share = known.get(part)
    if (share === undefined) {
      share = samples.filter((sample) => sample.includes(part)).length / Math.max(1, samples.length)
      known.set(part, share)
    }
    return share
  }
  const characters = [...text.toLowerCase()]
  const whole: Part = { part: text, share: shareOf(characters.join('')) }
  if (characters.length < worthIt) return whole
  const commonness = (part: string): number => windows([...part], 3).reduce((sum, group) => sum + shareOf(group), 0)
  const [best] = windows(characters, partLength)
    .map((part) => ({ part, share: shareOf(part), commonness: commonness(part) }))
    .toSorted((a, b) => a.share - b.share || a.commonness - b.commonness)
  return best !== undefined && best.share <= rare ? { part: best.part, share: best.share } : whole
}
