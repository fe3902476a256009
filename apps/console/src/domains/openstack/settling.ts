import { t } from '../../api/language.ts'

/** What is on its way into a cluster or out of it is asked for again: a job may end that too, and it tells nobody. */
export const askAgain = (rows: readonly { state: string }[] = []): number | false =>
  rows.some(({ state }) => state !== 'ready') && 5000

/** What is not gone by the time of the answer goes in the background. */
export const howRemoved = ({ gone }: { gone: boolean }): string => t(gone ? 'delete-success' : 'delete-status')
