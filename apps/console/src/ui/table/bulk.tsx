import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { t } from '../../api/language.ts'
import { wordsOf } from '../../api/notices.ts'
import { Button } from '../button.tsx'
import { StateBadge } from '../feedback/state-badge.tsx'
import { Dialog } from '../feedback/dialog.tsx'
import { scrollStop } from '../focus/scroll-stop.ts'
import type { Action } from './row-actions.tsx'

type Bulk = Pick<Action, 'key' | 'label' | 'needs' | 'danger'>

/** Applied to each row separately. */
export interface EachAction<R> extends Bulk {
  /** Additional content of the confirmation: what else is affected, or a field. */
  ask?: ReactNode | ((rows: readonly R[]) => ReactNode)
  /** Why it does not apply to a row: the confirmation names the row with the reason, and the row is skipped. */
  except?: (row: R) => string | false
  /** Why it cannot run yet: the field is empty. */
  blocked?: string | false
  /** Applies it to one row; a rejection is that row's result and does not stop the others. */
  run: (row: R) => Promise<unknown>
}

/** Applied to all rows in one call, or to none. */
export interface WholeAction<R> extends Bulk {
  /** Asks for a confirmation itself; returns whether it was done. */
  whole: (rows: readonly R[]) => Promise<boolean>
}

export type BulkAction<R> = EachAction<R> | WholeAction<R>

type Outcome = { state: 'waiting' | 'started' | 'success' } | { state: 'failed'; text: string }

/** The most rows processed at a time. */
const lanes = 4

/** Runs over all rows and reports each result. */
export async function runEach<R>(
  rows: readonly R[],
  run: (row: R) => Promise<unknown>,
  tell: (at: number, outcome: Outcome) => void,
): Promise<void> {
  let next = 0
  const lane = async () => {
    for (let at = next++; at < rows.length; at = next++) {
      const row = rows[at]
      if (row === undefined) continue
      tell(at, { state: 'started' })
      await run(row).then(
        () => tell(at, { state: 'success' }),
        (error: unknown) => tell(at, { state: 'failed', text: wordsOf(error) }),
      )
    }
  }
  await Promise.all(Array.from({ length: Math.min(lanes, rows.length) }, lane))
}

/** Only the first names of a long list are shown. */
const maxNamed = 8

const questionFor = <R,>({ ask }: EachAction<R>, rows: readonly R[]): ReactNode =>
  typeof ask === 'function' ? ask(rows) : (ask ?? t('ui-bulk-ask', { count: rows.length }))

function sorted<R>(rows: readonly R[], except: EachAction<R>['except']) {
  const able: R[] = []
  const leftOut: { row: R; why: string }[] = []
  for (const row of rows) {
    const why = except?.(row)
    if (why) leftOut.push({ row, why })
    else able.push(row)
  }
  return { able, leftOut }
}

interface BulkDialogProps<R> {
  action: EachAction<R>
  rows: readonly R[]
  nameOf: (row: R) => ReactNode
  onClose: (didSomething: boolean) => void
}

/** Confirms, runs, reports row by row, and offers to retry failed rows. */
export function BulkDialog<R>({ action, rows, nameOf, onClose }: BulkDialogProps<R>) {
  const [{ able, leftOut }] = useState(() => sorted(rows, action.except))
  const [batch, setBatch] = useState(able)
  const [outcomes, setOutcomes] = useState<ReadonlyMap<number, Outcome>>(new Map())
  const asks = action.ask !== undefined || action.danger === true || leftOut.length > 0
  const [phase, setPhase] = useState<'ask' | 'run' | 'done'>(asks ? 'ask' : 'run')
  const failed = batch.filter((_, at) => outcomes.get(at)?.state === 'failed')
  const ended = [...outcomes.values()].filter((o) => o.state === 'success' || o.state === 'failed').length

  const run = useEffectEvent((batch: readonly R[]) => {
    const tell = (at: number, outcome: Outcome) => setOutcomes((now) => new Map(now).set(at, outcome))
    void runEach(batch, action.run, tell).then(() => setPhase('done'))
  })
  // One run per batch: a render meanwhile does not start another.
  useEffect(() => {
    if (phase === 'run') run(batch)
  }, [phase, batch])

  const close = () => onClose(phase !== 'ask')
  return (
    <Dialog
      title={action.label}
      onClose={close}
      closes={phase === 'run' ? 'button' : 'anyhow'}
      buttons={
        <>
          {phase === 'ask' && <Button onClick={close}>{t('ui-cancel')}</Button>}
          {phase === 'ask' && (
            <Button
              primary
              danger={action.danger ?? false}
              disabled={able.length === 0 ? t('ui-bulk-none') : (action.blocked ?? false)}
              onClick={() => setPhase('run')}
            >
              {action.label}
            </Button>
          )}
          {phase === 'done' && failed.length > 0 && (
            <Button
              icon="refresh"
              onClick={() => {
                setBatch(failed)
                setOutcomes(new Map())
                setPhase('run')
              }}
            >
              {t('ui-bulk-retry', { count: failed.length })}
            </Button>
          )}
          {phase !== 'ask' && (
            <Button primary loading={phase === 'run'} onClick={close}>
              {t('ui-close')}
            </Button>
          )}
        </>
      }
    >
      {phase === 'ask' ? (
        <>
          {able.length > 0 && (
            <>
              <div className="g-dialog-text">{questionFor(action, able)}</div>
              <ul className="g-goes" ref={scrollStop}>
                {able.slice(0, maxNamed).map((row, at) => (
                  <li key={at}>{nameOf(row)}</li>
                ))}
                {able.length > maxNamed && <li>{t('ui-and-more', { count: able.length - maxNamed })}</li>}
              </ul>
            </>
          )}
          {leftOut.length > 0 && (
            <>
              <p>{t('ui-bulk-left-out')}</p>
              <ul className="g-outcomes g-left-out" ref={scrollStop}>
                {leftOut.map(({ row, why }, at) => (
                  <li key={at}>
                    <span>{nameOf(row)}</span>
                    <em>{why}</em>
                  </li>
                ))}
              </ul>
            </>
          )}
        </>
      ) : (
        <>
          <p aria-live="polite">{t('ui-bulk-progress', { ended, total: batch.length, failed: failed.length })}</p>
          <ul className="g-outcomes" ref={scrollStop}>
            {batch.map((row, at) => {
              const outcome = outcomes.get(at) ?? { state: 'waiting' }
              return (
                <li key={at}>
                  <span>{nameOf(row)}</span>
                  <StateBadge state={outcome.state} />
                  {outcome.state === 'failed' && <em>{outcome.text}</em>}
                </li>
              )
            })}
          </ul>
        </>
      )}
    </Dialog>
  )
}
