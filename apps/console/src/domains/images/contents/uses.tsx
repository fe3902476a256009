import type { UseCount, Uses } from '@gantry/contract/images/contents'
import type { ReactNode } from 'react'
import { t } from '../../../api/language.ts'
import { Facts } from '../../../ui/detail.tsx'
import { GoTo, to } from '../../../ui/link.tsx'

/** The uses of an image or a repository, in a table cell: the first services by name, the others as numbers. */
export function UsedBy({ uses: { services, running, back, others } }: { uses: UseCount }) {
  const names = services.join(', ')
  const more = running - services.length
  const parts = [
    running === 0 ? '' : more > 0 ? t('images-ui-used-more', { names, count: more }) : names,
    back === 0 ? '' : t('images-ui-used-back', { count: back }),
    others === 0 ? '' : t('images-ui-used-others', { count: others }),
  ].filter((part) => part !== '')
  if (parts.length === 0) return <span className="g-faint">{t('images-ui-used-nobody')}</span>
  return <span title={parts.join(' · ')}>{parts.join(' · ')}</span>
}

type Service = Uses['services'][number]

function ServiceLink({ of, label }: { of: Service; label: string }) {
  if (of.type === 'helm')
    return (
      <GoTo to={to('helm-list', { team_id: of.teamId }, { release: String(of.serviceId), cluster: of.envId })}>
        {label}
      </GoTo>
    )
  return (
    <GoTo
      to={to('containers', {
        team_id: of.teamId,
        env_id: of.envId,
        stack_id: of.stackId,
        stack_uuid: of.stackUuid,
        stack_name: of.stackName,
        service_id: of.serviceId,
        service_name: of.serviceName,
        service_type: of.type,
        from: 'appcenter',
      })}
    >
      {label}
    </GoTo>
  )
}

const nameOf = ({ stackName, serviceName }: Service): string => `${stackName}/${serviceName}`

/** One per line; nothing if there are none. */
const lines = (rows: readonly { key: string; link: ReactNode }[]): ReactNode =>
  rows.length === 0 ? null : (
    <ul className="g-goes">
      {rows.map(({ key, link }) => (
        <li key={key}>{link}</li>
      ))}
    </ul>
  )

/** The uses of an image, with links. */
export function UsesOf({ uses: { services, revisions, pipelines, builds, others } }: { uses: Uses }) {
  const facts = [
    {
      label: t('images-ui-uses-services'),
      value: lines(
        services.map((of) => ({ key: `${of.type} ${of.serviceId}`, link: <ServiceLink of={of} label={nameOf(of)} /> })),
      ),
    },
    {
      label: t('images-ui-uses-revisions'),
      value: lines(
        revisions.map((of) => ({
          key: `${of.type} ${of.serviceId} ${of.revision}`,
          link: (
            <ServiceLink of={of} label={t('images-ui-uses-revision', { name: nameOf(of), revision: of.revision })} />
          ),
        })),
      ),
    },
    {
      label: t('images-ui-uses-pipelines'),
      value: lines(
        pipelines.map(({ id, groupId, name, teamId }) => ({
          key: String(id),
          link: (
            <GoTo to={to('cd-history', { team_id: teamId, pipeline_group_id: groupId, pipeline_id: id })}>{name}</GoTo>
          ),
        })),
      ),
    },
    {
      label: t('images-ui-uses-builds'),
      value: lines(
        builds.map(({ pipelineId, groupId, pipeline, number, teamId }) => ({
          key: `${pipelineId} ${number}`,
          link: (
            <GoTo
              to={to('cd-build-info', {
                team_id: teamId,
                pipeline_group_id: groupId,
                pipeline_id: pipelineId,
                build_number: number,
              })}
            >
              {t('images-ui-uses-build', { name: pipeline, number })}
            </GoTo>
          ),
        })),
      ),
    },
    {
      label: t('images-ui-uses-others'),
      value: others === 0 ? null : t('images-ui-used-running', { count: others }),
    },
  ].filter(({ value }) => value !== null)
  return facts.length === 0 ? <p className="g-faint">{t('images-ui-uses-none')}</p> : <Facts facts={facts} />
}
