import { BaseSequencer, type TestSequencerConstructor, type TestSpecification } from 'vitest/node'

/**
 * An order in which the long files start first, so that others run beside them. Where no earlier run has left its
 * times, as in a fresh clone, vitest orders files by their size, which says little about their time.
 */
export function longestFirst(long: RegExp): TestSequencerConstructor {
  const isLong = ({ moduleId }: TestSpecification): number => Number(long.test(moduleId))
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      return (await super.sort(files)).toSorted((a, b) => isLong(b) - isLong(a))
    }
  }
}
