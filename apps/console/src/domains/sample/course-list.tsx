import type { Build } from '@gantry/contract/pipelines/builds'
import type { Sample, SampleAnswer } from '@gantry/contract/sample/sample'
import type { ReactNode } from 'react'
import { t } from '../../api/language.ts'
import { bytes, duration } from '../../ui/format.ts'
import { GoTo, to, type To } from '../../ui/link.tsx'
import { StateBadge } from '../../ui/feedback/state-badge.tsx'
import type { MilestoneSpan, Milestone } from './course.ts'
import { Ticker } from './ticker.tsx'
import styles from './sample.module.css'

interface CourseProps {
  sample: Sample
  build: Build | undefined
  answer: SampleAnswer | undefined
  legs: readonly MilestoneSpan[]
}

/** The five milestones, each linked to the page where it happens. */
export function CourseList(p: CourseProps) {
  return (
    <ol className={styles.course}>
      {p.legs.map((leg) => (
        <li key={leg.milestone} data-state={leg.state}>
          <StateBadge state={leg.state === 'running' ? 'started' : leg.state} text="" />
          <span className="g-hidden">{t(`sample-ui-leg-${leg.state}`)}</span>
          <div>
            <strong>
              <Linked to={placeOf(leg.milestone, p.sample)}>{t(`sample-ui-leg-${leg.milestone}`)}</Linked>
            </strong>
            <span className={styles.detail}>{leg.state === 'waiting' ? null : detailOf(leg.milestone, p)}</span>
          </div>
          <Taken leg={leg} />
        </li>
      ))}
    </ol>
  )
}

const Linked = ({ to: place, children }: { to: To | undefined; children: ReactNode }) =>
  place ? <GoTo to={place}>{children}</GoTo> : children

function Taken({ leg }: { leg: MilestoneSpan }) {
  if (leg.from === null) return null
  if (leg.to === null) return <Ticker from={leg.from} />
  return (
    <span className={`g-num ${styles.taken}`}>{duration(Math.max(0, Date.parse(leg.to) - Date.parse(leg.from)))}</span>
  )
}

function placeOf(milestone: Milestone, { pipeline, build, stack, service }: Sample): To | undefined {
  if (milestone === 'stack') return stack ? to('app-list', {}, { keyword: stack.name }) : undefined
  if (milestone === 'answer')
    return stack && service
      ? to('containers', {
          env_id: stack.envId,
          stack_id: stack.id,
          stack_uuid: stack.uuid,
          stack_name: stack.name,
          service_id: service.id,
          service_name: service.name,
          service_type: 'business',
          from: 'appcenter',
        })
      : undefined
  if (!pipeline) return undefined
  const place = { pipeline_group_id: pipeline.groupId, pipeline_id: pipeline.id }
  if (milestone === 'commit') return to('cd-setting', place)
  if (milestone === 'image') return to('cd-docker-image', place)
  return build ? to('cd-build-info', { ...place, build_number: build.number }, { tab: 'tests' }) : undefined
}

function detailOf(milestone: Milestone, { sample, build, answer }: CourseProps): ReactNode {
  switch (milestone) {
    case 'commit':
      return (
        <>
          {build?.commit && <code>{build.commit.slice(0, 8)}</code>} {build?.commitMessage}
        </>
      )
    case 'test':
      return testsOf(build)
    case 'image': {
      const [image] = build?.images ?? []
      return image && <>{`${image.image.split('/').slice(1).join('/')}:${image.tag}, ${bytes(image.size)}`}</>
    }
    case 'stack':
      return sample.stack && sample.service
        ? t('sample-ui-in-stack', { service: sample.service.name, stack: sample.stack.name })
        : null
    default:
      // the service's own text
      return answer?.status === 200 ? <span lang="en">{firstLine(answer.text)}</span> : null
  }
}

function testsOf(build: Build | undefined): string {
  const tests = build?.tests
  if (!tests) return ''
  const { total, failed, skipped } = tests
  if (failed > 0) return t('sample-ui-tests-failed', { failed, total })
  return skipped === total ? t('sample-ui-tests-skipped') : t('sample-ui-tests-passed', { count: total - skipped })
}

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? ''
