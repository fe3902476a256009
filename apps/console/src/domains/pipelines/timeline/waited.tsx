import type { Build } from '@gantry/contract/pipelines/builds'
import { t } from '../../../api/language.ts'
import { duration } from '../../../ui/format.ts'
import { useSecond } from '../builds/duration.tsx'
import { totalsOf, visibleWaits } from './waits.ts'

export const hasWaited = ({ waits }: Build): boolean => visibleWaits(waits).length > 0

/** What a build has waited for, and how long; not part of its duration, or of that of its jobs. */
export const Waited = ({ build }: { build: Build }) =>
  build.waits.some(({ to }) => to === null) ? <Counting build={build} /> : words(build, 0)

const Counting = ({ build }: { build: Build }) => words(build, useSecond())

/** While it waits, whole seconds are shown, so that the figure does not flicker. */
const words = ({ waits }: Build, now: number): string =>
  totalsOf(waits, now)
    .map((total) =>
      t(`pipelines-ui-waited-${total.for}`, {
        time: duration(now === 0 ? total.ms : Math.floor(total.ms / 1000) * 1000),
      }),
    )
    .join(' · ')
