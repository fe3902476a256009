import { useEffect, useMemo, useRef, useState } from 'react'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import type { Pipeline } from '@gantry/contract/pipelines/pipelines'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import type { z } from 'zod'
import { Definition, type StageInput } from '@gantry/contract/pipelines/definition'
import { call } from '../../../api/call.ts'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { toast, wordsOf } from '../../../api/notices.ts'
import { useMay } from '../../../api/session.ts'
import { Button } from '../../../ui/button.tsx'
import { copyText } from '../../../ui/copyable.tsx'
import { useDialog } from '../../../ui/feedback/dialog.tsx'
import { rebase } from '../../../ui/form/rebase.ts'
import { useUrlState } from '../../../ui/table/url-state.ts'
import { Tabs } from '../../../ui/tabs.tsx'
import { DraftNote } from '../../../ui/editor/draft-note.tsx'
import { isStale, ReviewDialog } from '../../../ui/editor/review-dialog.tsx'
import { YamlEditor } from '../../../ui/editor/editors.tsx'
import { dropYamlDraft, keepYamlDraft, yamlDraft } from '../../../ui/editor/yaml-draft.ts'
import { DefinitionEditor } from '../editor/definition-editor.tsx'
import type { Dragged } from '../editor/editing.ts'
import { useHistory } from '../editor/use-history.ts'
import { useLint } from '../editor/use-lint.ts'
import { definitionHints } from './definition-hints.ts'
import { textWith } from './definition-text.ts'
import { fromYaml, placesInText, problemsOfDefinition } from './definition-yaml.ts'
import { type Draft, draftOf, stagesOfDraft } from './draft.ts'
import { keysAt, problemsOfDraft, problemsOfError } from './draft-problems.ts'
import { later } from '../../../ui/feedback/later.ts'
import { SaveBar } from './save-bar.tsx'
import { toBuild } from '../pipelines/places.ts'
import { useRun } from '../pipelines/run.tsx'
import { GoTo } from '../../../ui/link.tsx'
import { useUnsaved } from '../../../ui/form/unsaved.ts'
import styles from './definition.module.css'

const ExportDialog = later(async () => (await import('../definition-files/export-dialog.tsx')).ExportDialog)

export type StoredDefinition = z.output<typeof definitions.get.data>

/** The stages of an earlier version. */
export interface Restored {
  stages: StoredDefinition['stages']
  text: string
  revision: number
}

const needs = definitions.set
const stale = 'pipelines-changed-since'

interface EditViewProps {
  pipeline: Pipeline
  /** An earlier version, as the initial draft. */
  restored?: Restored | undefined
  newest: StoredDefinition
  reload: () => Promise<{ data: StoredDefinition | undefined }>
}

/**
 * The definition as a form and as text of the same document: a change in one appears in the other. Until it is edited
 * it follows others' changes. If a colleague has changed it meanwhile, the edit can be rebased on the present version,
 * and is reviewed before it is saved.
 */
export function EditView({ pipeline, restored, newest, reload }: EditViewProps) {
  const may = useMay(needs)
  const [base, setBase] = useState(newest)
  const { present: draft, change, reset, undo, redo } = useHistory(() => draftOf((restored ?? newest).stages))
  /** The text to which the form's changes are applied. */
  const [written, setWritten] = useState((restored ?? newest).text)
  const [tried, setTried] = useState(false)
  const [gone, setGone] = useState<string>()
  const [refused, setRefused] = useState<ReadonlyMap<string, string>>(new Map())
  const [refusal, setRefusal] = useState<{ text: string; conflict: boolean }>()
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const [dragged, drag] = useState<Dragged>()
  const form = useRef<HTMLDivElement>(null)
  const reviewing = useDialog<StageInput[]>()
  const exporting = useDialog()
  const save = useWrite(definitions.set, {
    done: 'save-success',
    quiet: true,
  })
  const params = { appId: pipeline.appId, pipelineId: pipeline.id }
  const setting = useRead(pipelines.setting, { params })
  const draftKey = `definition-${pipeline.id}`
  const inForce = useMemo(() => textWith(base.text, base.stages), [base])
  /**
   * A draft of the text that the form does not show: from an earlier visit, or one that does not parse; contested once
   * the form is edited as well.
   */
  const [apart, setApart] = useState<false | 'alone' | 'contested'>(
    () => !restored && (yamlDraft(draftKey)?.text ?? inForce) !== inForce && 'alone',
  )
  const text = useMemo(() => textWith(written, stagesOfDraft(draft)), [written, draft])
  const dirty = text !== inForce
  const problems = new Map([...refused, ...problemsOfDraft(draft)])
  const warnings = useLint(pipeline.id, dirty && may ? stagesOfDraft(draft) : undefined)
  const doubts = useMemo(() => placesInText(text, warnings), [text, warnings])
  const { run, busy, dialog } = useRun()
  const running = busy !== undefined
  const [started, setStarted] = useState<number>()
  const [, setVersion] = useUrlState({ version: '' })
  useUnsaved(dirty)
  useEffect(() => {
    if (restored) keepYamlDraft(draftKey, textWith(restored.text, restored.stages))
  }, [restored, draftKey])

  const adopt = (kept: StoredDefinition) => {
    setBase(kept)
    reset(draftOf(kept.stages))
    setWritten(kept.text)
    setApart((was) => was && 'alone')
    setTried(false)
    setGone(undefined)
    setRefusal(undefined)
    setRefused(new Map())
  }
  // Somebody else saved, and no input would be lost.
  if (newest.revision > base.revision && !dirty) adopt(newest)

  const keep = (next: string) => {
    if (apart) return setApart('contested')
    if (next === inForce) dropYamlDraft(draftKey)
    else keepYamlDraft(draftKey, next)
  }
  const edit = (next: Draft, where?: string) => {
    change(next, where)
    setGone(undefined)
    setRefused(new Map())
    keep(textWith(written, stagesOfDraft(next)))
  }
  const step = (way: (() => Draft) | undefined) => {
    if (!way) return
    setGone(undefined)
    keep(textWith(written, stagesOfDraft(way())))
  }
  /** A change of the text is applied to the form at once, if it can be parsed. */
  const typed = (next: string) => {
    const read = fromYaml(next)
    setApart((was) => !('stages' in read) && (was || 'alone'))
    if (!('stages' in read) || next === text) return
    setWritten(next)
    change(draftOf(read.stages), 'text')
  }
  const discard = () => {
    dropYamlDraft(draftKey)
    setApart(false)
    adopt(newest)
    setVersion({ version: '' })
  }

  const put = async (stages: StageInput[], as: string) => {
    const body = { stages, revision: base.revision, text: as }
    adopt(await save.mutateAsync({ named: pipeline.projectName, params, body }))
    dropYamlDraft(draftKey)
    setApart(false)
    setVersion({ version: '' })
  }
  const runDraft = () => run(pipeline, { draft: stagesOfDraft(draft), started: setStarted })
  const toggle = (key: string, is?: boolean) =>
    setOpen((now) => {
      const next = new Set(now)
      if (is ?? !now.has(key)) next.add(key)
      else next.delete(key)
      return next
    })
  /** Opens the parts with problems, and focuses the first field. */
  const show = (wrong: ReadonlyMap<string, string>) => {
    setTried(true)
    const keys = keysAt(draft, wrong.keys())
    setOpen((now) => new Set([...now, ...keys]))
    setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(), 50)
  }
  const submit = async () => {
    setTried(true)
    if (problems.size > 0) return show(problems)
    try {
      await put(stagesOfDraft(draft), text)
    } catch (error) {
      const refusals = problemsOfError(error)
      setRefused(refusals)
      setRefusal({ text: wordsOf(error), conflict: isStale(error, stale) })
      if (refusals.size > 0) show(refusals)
    }
  }
  const takeTheirs = async () => {
    const { data } = await reload()
    if (data) adopt(data)
  }
  const makeAgain = async (stages: StageInput[]) => {
    const now = await call(definitions.get, { params })
    // with all defaults, like the other two, so that equal definitions compare equal
    const edited = Definition.parse({ stages })
    const next = rebase(edited, { stages: base.stages }, { stages: now.stages }).stages
    adopt(now)
    change(draftOf(next))
    reviewing.show(next)
  }
  const copyMine = async () => {
    if (await copyText(text)) toast.ok(t('ui-copied'))
  }

  const next = reviewing.open
  const [, setView] = useUrlState({ view: 'form' })
  return (
    <div className={styles.views}>
      <Tabs
        name="view"
        tabs={[
          {
            key: 'form',
            label: t('pipelines-ui-view-form'),
            content: () => (
              // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Ctrl+Z counts between its fields too
              <div
                ref={form}
                role="group"
                aria-label={t('pipelines-ui-view-form')}
                onKeyDown={(event) => {
                  const typing =
                    event.target instanceof HTMLElement && event.target.closest('input, textarea, .cm-editor')
                  if (typing || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return
                  event.preventDefault()
                  step(event.shiftKey ? redo : undo)
                }}
              >
                {apart && (
                  <DraftNote
                    key={base.revision}
                    draftKey={draftKey}
                    value={inForce}
                    onOpen={() => setView({ view: 'yaml' })}
                    onDiscard={() => setApart(false)}
                  />
                )}
                <DefinitionEditor
                  editing={{
                    draft,
                    change: edit,
                    problems,
                    warnings,
                    tried,
                    readOnly: !may,
                    teamId: pipeline.teamId,
                    parameters: setting.data?.parameters ?? [],
                    open,
                    toggle,
                    dragged,
                    drag,
                    removed: setGone,
                  }}
                />
                {refusal && (
                  <div className="g-note g-note-bad" role="alert">
                    <p>{refusal.text}</p>
                    {refusal.conflict && (
                      <div className="g-row">
                        <Button
                          small
                          primary
                          icon="refresh"
                          onClick={() => void makeAgain(stagesOfDraft(draft)).catch(toast.error)}
                        >
                          {t('ui-review-rebase')}
                        </Button>
                        <Button small icon="copy" onClick={() => void copyMine()}>
                          {t('pipelines-ui-copy-mine')}
                        </Button>
                        <Button small icon="download" onClick={() => void takeTheirs()}>
                          {t('pipelines-ui-take-theirs')}
                        </Button>
                      </div>
                    )}
                  </div>
                )}
                {(dirty || undo || redo || draft.length > 0) && (
                  <SaveBar
                    {...{ dirty, undo, redo, step, gone, discard, running }}
                    problems={tried ? problems.size : 0}
                    doubts={warnings.size}
                    saving={save.isPending}
                    save={() => void submit()}
                    exporting={() => exporting.show(true)}
                    runDraft={() => (problems.size > 0 ? show(problems) : runDraft())}
                  />
                )}
                {started !== undefined && (
                  <div className="g-note g-row" role="status">
                    <span>{t('pipelines-ui-draft-runs')}</span>
                    <GoTo to={toBuild(pipeline, started)}>{t('pipelines-ui-build-number', { number: started })}</GoTo>
                  </div>
                )}
                {dialog}
              </div>
            ),
          },
          {
            key: 'yaml',
            label: 'YAML',
            content: () =>
              apart === 'contested' && dirty ? (
                <div className="g-note g-note-warn">
                  <p>{t('pipelines-ui-yaml-apart')}</p>
                  <div className="g-row">
                    <Button
                      small
                      onClick={() => {
                        keepYamlDraft(draftKey, text)
                        setApart(false)
                      }}
                    >
                      {t('pipelines-ui-yaml-take-form')}
                    </Button>
                    <Button small onClick={() => adopt(newest)}>
                      {t('pipelines-ui-discard')}
                    </Button>
                  </div>
                </div>
              ) : (
                <YamlEditor
                  key={base.revision}
                  label={t('pipelines-ui-yaml')}
                  value={inForce}
                  draftKey={draftKey}
                  check={problemsOfDefinition}
                  hints={definitionHints}
                  warnings={apart ? [] : doubts}
                  onText={typed}
                  apply={t('ui-save')}
                  needs={needs}
                  {...(may
                    ? {
                        onApply: async (given: string) => {
                          const read = fromYaml(given)
                          if (!('stages' in read)) return
                          try {
                            await put(read.stages, given)
                          } catch (error) {
                            if (!isStale(error, stale)) throw error
                            // from here on it is an edit of the form, which is reviewed
                            await makeAgain(read.stages)
                          }
                        },
                      }
                    : {})}
                />
              ),
          },
        ]}
      />
      {exporting.open && <ExportDialog {...{ pipeline, text, dirty }} onClose={exporting.hide} />}
      {next && (
        <ReviewDialog
          key={base.revision}
          title={t('pipelines-ui-review-title', { name: pipeline.projectName })}
          before={inForce}
          after={textWith(base.text, next)}
          same={t('ui-yaml-same')}
          note={t('pipelines-ui-rebased', { revision: base.revision })}
          send={{ label: t('ui-save'), needs }}
          stale={stale}
          onSend={async () => {
            await put(next, textWith(base.text, next))
            reviewing.hide()
          }}
          onRebase={() => makeAgain(next)}
          onClose={reviewing.hide}
        />
      )}
    </div>
  )
}
