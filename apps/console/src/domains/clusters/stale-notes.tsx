import type { hosts } from '@gantry/contract/clusters/hosts'
import type { z } from 'zod'
import { AgeNote } from './age-note.tsx'

type Stale = z.output<(typeof hosts.list)['data']>['stale']

/** Clusters whose hosts are missing from a list, or of a while ago. */
export const StaleNotes = ({ stale, named }: { stale: Stale; named: boolean }) =>
  stale.map(({ envUuid, envName, since, message }) => (
    <AgeNote
      key={envUuid}
      age={{ staleSince: since, message: named && message !== '' ? `${envName}: ${message}` : message }}
    />
  ))
