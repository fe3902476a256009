import { versions } from '@gantry/contract/pipelines/editing/versions'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { useMay } from '../../../api/session.ts'
import type { Draft } from './draft.ts'
import styles from './definition.module.css'

interface SaveBarProps {
  dirty: boolean
  undo: (() => Draft) | undefined
  redo: (() => Draft) | undefined
  step: (way: (() => Draft) | undefined) => void
  /** The name of the part that was removed last. */
  gone: string | undefined
  problems: number
  /** The number of places that could not run. */
  doubts: number
  saving: boolean
  running: boolean
  discard: () => void
  exporting: () => void
  runDraft: () => void
  save: () => void
}

const needs = definitions.set

/** The state of the edit, and its actions. */
export function SaveBar(p: SaveBarProps) {
  const may = useMay(needs)
  const { dirty, undo, redo, step, gone } = p
  return (
    <div className={styles.save} role="region" aria-label={t('pipelines-ui-save-bar')}>
      <span className={styles.history}>
        {may && (
          <>
            <Button
              small
              quiet
              icon="rollback"
              label={t('pipelines-ui-undo')}
              disabled={!undo && t('pipelines-ui-undo-nothing')}
              onClick={() => step(undo)}
            />
            <Button
              small
              quiet
              icon="redo"
              label={t('pipelines-ui-redo')}
              disabled={!redo && t('pipelines-ui-redo-nothing')}
              onClick={() => step(redo)}
            />
          </>
        )}
        <span aria-live="polite" className={p.problems > 0 ? 'g-bad' : 'g-quiet'}>
          {gone !== undefined
            ? t('pipelines-ui-removed', { name: gone })
            : p.problems > 0
              ? t('pipelines-ui-problems', { count: p.problems })
              : t(dirty ? 'pipelines-ui-unsaved' : 'pipelines-ui-saved')}
        </span>
        {p.doubts > 0 && <span className={styles.doubts}>{t('pipelines-ui-lint-found', { count: p.doubts })}</span>}
        {gone !== undefined && undo && (
          <Button small onClick={() => step(undo)}>
            {t('pipelines-ui-take-back')}
          </Button>
        )}
      </span>
      <div className="g-row">
        <Button icon="download" onClick={p.exporting}>
          {t('pipelines-ui-file-export')}
        </Button>
        {dirty && <Button onClick={p.discard}>{t('pipelines-ui-discard')}</Button>}
        {dirty && (
          <Button icon="play" needs={versions.runDraft} loading={p.running} onClick={p.runDraft}>
            {t('pipelines-ui-run-draft')}
          </Button>
        )}
        <Button primary needs={needs} loading={p.saving} disabled={!dirty && t('ui-yaml-same')} onClick={p.save}>
          {t('ui-save')}
        </Button>
      </div>
    </div>
  )
}
