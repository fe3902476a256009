import type { Build } from '@gantry/contract/pipelines/builds'
import { isEnded } from '@gantry/contract/pipelines/states'
import { type BuildIssue, buildIssues } from '@gantry/contract/trackers/issues'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { wordsOf } from '../../api/notices.ts'
import { StateBadge } from '../../ui/feedback/state-badge.tsx'
import styles from './trackers.module.css'

const askAgainMs = 5000

const isSettled = ({ state, told }: BuildIssue): boolean => state !== 'reading' && told?.state !== 'waiting'

/** Whether the texts may name an issue at all; otherwise no call is made. */
const mayName = ({ commitMessage, branch }: Build): boolean =>
  /[A-Z]-[1-9]|--(story|bug|task)=[1-9]/.test(`${commitMessage}\n${branch}`)

/** The issues that a build names. Read again after its end, when it may have commented on them. */
export const BuildIssues = ({ build }: { build: Build }) =>
  mayName(build) && <Asked key={String(isEnded(build.state))} id={build.pipelineId} number={build.number} />

/** Read separately, so that a slow or silent tracker delays nothing else on the page. */
function Asked(params: { id: number; number: number }) {
  const query = useRead(buildIssues, { params }, { staleMs: 0 })
  const waits = query.data?.some((issue) => !isSettled(issue)) ?? false
  useRead(buildIssues, { params }, { enabled: waits, every: waits && askAgainMs })
  if (query.data?.length === 0) return null
  return (
    <section aria-label={t('trackers-ui-issues')}>
      {query.data ? (
        <ul className={styles.issues}>
          {query.data.map((issue) => (
            <Issue key={`${issue.jiraId} ${issue.key}`} issue={issue} />
          ))}
        </ul>
      ) : query.error ? (
        <p className="g-note g-note-warn">{wordsOf(query.error)}</p>
      ) : (
        <p className="g-faint" role="status">
          {t('trackers-ui-issues-reading')}
        </p>
      )}
    </section>
  )
}

const states = { todo: 'waiting', doing: 'building', done: 'done', unknown: 'unknown' } as const

function Issue({ issue }: { issue: BuildIssue }) {
  const { key, url, jira, title, status, category, state, problem, told } = issue
  return (
    <li>
      <span className={styles.issue}>
        <a href={url} target="_blank" rel="noreferrer" title={jira}>
          {key}
        </a>
        {/* the tracker's text, in the language of the connection's account */}
        {title !== '' && <span translate="no">{title}</span>}
        {status !== '' && (
          <span translate="no">
            <StateBadge state={states[category]} text={status} />
          </span>
        )}
        {state === 'reading' && <span className="g-faint">{t('trackers-ui-issues-reading')}</span>}
        {state === 'missing' && <span className="g-faint">{t('trackers-ui-issue-missing')}</span>}
        {told?.state === 'done' && <span className="g-faint">{t('trackers-ui-told-done')}</span>}
        {told?.state === 'waiting' && told.problem === '' && (
          <span className="g-faint">{t('trackers-ui-told-waiting')}</span>
        )}
      </span>
      {state === 'failed' && <p className="g-note g-note-warn">{t('trackers-ui-issue-failed', { problem })}</p>}
      {told && told.problem !== '' && (
        <p className="g-note g-note-warn">
          {t(told.state === 'failed' ? 'trackers-ui-told-failed' : 'trackers-ui-told-again', told)}
        </p>
      )}
    </li>
  )
}
