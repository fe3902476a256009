import type { BuildAttempt } from '@gantry/contract/pipelines/builds/attempts'
import type { Build } from '@gantry/contract/pipelines/builds'
import type { ReactNode } from 'react'
import { isEnded } from '@gantry/contract/pipelines/states'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { Copyable } from '../../../ui/copyable.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Time } from '../../../ui/time.tsx'
import { stepsOf } from './chosen-step.ts'
import { BuildDuration } from './duration.tsx'
import { Waited, hasWaited } from '../timeline/waited.tsx'
import { commitPage } from '../definition/commit-page.ts'
import { causeOf, firstLine } from '../definition/words.ts'
import styles from './build.module.css'

/** The data of a build, on one line if there is room. */
export function BuildFacts({ build, repository }: { build: Build; repository: string }) {
  const parameters = Object.entries(build.parameters)
  const { branch, tag, commit, commitMessage } = build
  const ref = tag === '' ? branch : tag
  const page = commit === '' ? undefined : commitPage(repository, commit)
  const facts: { label: string; value: ReactNode }[] = [
    {
      label: t('pipelines-ui-duration'),
      value: <BuildDuration build={build} />,
    },
    ...(hasWaited(build) ? [{ label: t('pipelines-ui-waited'), value: <Waited build={build} /> }] : []),
    { label: t('pipelines-ui-queued-at'), value: <Time at={build.queuedAt} /> },
    { label: t('pipelines-ui-cause'), value: causeOf(build) },
  ]
  if (build.retriedBy !== '') facts.push({ label: t('pipelines-ui-retried-by'), value: build.retriedBy })
  if (ref !== '' || commit !== '')
    facts.push({
      label: t('pipelines-ui-commit'),
      value: (
        <>
          {!build.mergeRequest?.fork && <span className="g-mono">{ref}</span>}{' '}
          {commit !== '' && <Copyable text={commit} short={8} />} {page && <CommitPage href={page} />}
          {commitMessage !== '' && <span className={styles.message}>{firstLine(commitMessage)}</span>}
        </>
      ),
    })
  const { definitionFile: file, mergeRequest } = build
  if (mergeRequest) {
    const { fork, ...names } = mergeRequest
    facts.push({
      label: t('pipelines-ui-merge-request'),
      value: t(`pipelines-ui-merge-request-${fork ? 'fork' : 'own'}`, names),
    })
  }
  if (file && file.commit !== '')
    facts.push({
      label: t('pipelines-ui-definition'),
      value: (
        <>
          {t('pipelines-ui-build-definition-at', { path: file.path })} <Copyable text={file.commit} short={8} />
        </>
      ),
    })
  if (build.draft) facts.push({ label: t('pipelines-ui-definition'), value: t('pipelines-ui-draft-not-saved') })
  if (build.agentName !== '') facts.push({ label: t('pipelines-ui-agent'), value: build.agentName })
  if (build.attempt > 1) facts.push({ label: t('pipelines-ui-attempt'), value: build.attempt })
  if (parameters.length > 0)
    facts.push({
      label: t('pipelines-ui-parameters'),
      value: parameters.map(([name, value]) => (
        <span key={name} className={`g-mono ${styles.parameter}`}>
          {name}={value}
        </span>
      )),
    })
  return (
    <dl className={styles.facts}>
      {facts.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const CommitPage = ({ href }: { href: string }) => (
  <a href={href} target="_blank" rel="noreferrer" title={href}>
    {t('pipelines-ui-commit-page')}
  </a>
)

interface FailureProps {
  build: Build
  /** The displayed attempt, instead of the whole build. */
  attempt?: BuildAttempt | undefined
  /** The step with the open log. */
  openStep: number | undefined
  choose: (step: number) => void
}

/** Why a build failed and what to do: its own reason, and that of the failed step, with a link to its log. */
export function BuildFailure({ build, attempt, openStep, choose }: FailureProps) {
  const { state, message } = attempt ?? build
  if (!isEnded(state) || state === 'success') return null
  const steps = stepsOf(build.stages).filter(({ job }) => !attempt || job === attempt.job)
  const broken = steps.find((step) => step.state === 'failed')
  const words = [...new Set([broken?.message, message].filter((text) => text !== undefined && text !== ''))]
  const places = state === 'failed' ? (build.definitionFile?.problems ?? []) : []
  if (!broken && words.length === 0) return null
  return (
    <div className={state === 'failed' ? styles.failure : `${styles.failure} ${styles.failureWarn}`} role="status">
      <Icon name={state === 'failed' ? 'error' : 'warn'} size={20} />
      <div>
        {broken && (
          <h2>
            {t('pipelines-ui-step-failed', { step: broken.name })}
            {broken.exitCode !== null && (
              <span className="g-num"> · {t('pipelines-ui-exit-code', { code: broken.exitCode })}</span>
            )}
          </h2>
        )}
        {words.map((text) => (
          <p key={text}>{text}</p>
        ))}
        {places.length > 0 && (
          <ul>
            {places.map(({ line, column, text }) => (
              <li key={`${line}:${column}:${text}`}>
                <strong className="g-num">{t('pipelines-ui-file-place', { line, column })}</strong> {text}
              </li>
            ))}
          </ul>
        )}
      </div>
      {broken && (
        <span className={broken.index === openStep ? styles.farLog : undefined}>
          <Button small icon="log" onClick={() => choose(broken.index)}>
            {t('pipelines-ui-show-log')}
          </Button>
        </span>
      )}
    </div>
  )
}
