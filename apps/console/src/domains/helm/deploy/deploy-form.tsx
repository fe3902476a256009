import { charts, type InspectedChart } from '@gantry/contract/helm/charts'
import type { UsableRepository } from '@gantry/contract/helm/repositories'
import { releaseName } from '@gantry/contract/helm/names'
import { type DryRun, releases, type ReleaseDetails } from '@gantry/contract/helm/releases'
import { stacks } from '@gantry/contract/stacks/stacks'
import { Input } from 'antd'
import { useState } from 'react'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { wordsOf } from '../../../api/notices.ts'
import { Button } from '../../../ui/button.tsx'
import { Facts, Loaded } from '../../../ui/detail.tsx'
import { Problem } from '../../../ui/feedback/problem.tsx'
import { RemoteSelect } from '../../../ui/form/remote-select.tsx'
import { GoTo, to, useGo, useTeamId } from '../../../ui/link.tsx'
import { Section } from '../../../ui/page.tsx'
import { useChosen } from './chosen.ts'
import { DryRunView } from './dry-run-view.tsx'
import styles from './deploy.module.css'
import { ValuesTabs } from './values-tabs.tsx'

interface DeployFormProps {
  repository: UsableRepository
  chart: string
  version: string
  /** The release to upgrade; absent: a new one. */
  release?: ReleaseDetails
}

/** Whether a dry run is for the present input: changed input needs another dry run. */
const sameWish = (a: object | undefined, b: object): boolean => JSON.stringify(a) === JSON.stringify(b)

export function DeployForm({ repository, chart, version, release }: DeployFormProps) {
  const tenantId = useTeamId()
  const go = useGo()
  const [, choose] = useChosen()
  const [name, setName] = useState(release?.name ?? chart.split('/').at(-1)?.slice(0, 53) ?? '')
  const [stack, setStack] = useState(release && { id: release.stackId, envId: release.cluster })
  const [yours, setYours] = useState('')
  const [looked, setLooked] = useState<{ wish: object; dryRun: DryRun }>()
  const [refusal, setRefusal] = useState('')
  const inspected = useRead(charts.inspect, {
    params: { chartName: chart, repoName: repository.name, tenantId, version },
  })
  const deploy = useWrite(releases.deploy, { quiet: true, done: () => '' })
  const look = useWrite(releases.deploy, { quiet: true })

  const wish = { name, stackId: stack?.id ?? 0, repositoryId: repository.id, chart, version, values: yours }
  const isSeen = sameWish(looked?.wish, wish)
  const incomplete = !releaseName.safeParse(name).success
    ? t('helm-ui-release-name-help')
    : stack === undefined
      ? t('helm-ui-stack')
      : false
  const send = async (dryRun: 'true' | 'false') => {
    setRefusal('')
    try {
      const input = { params: { tenantId }, query: { envUuid: stack?.envId ?? '', dryRun }, body: wish }
      const answer = await (dryRun === 'true' ? look : deploy).mutateAsync(input)
      if (answer.dryRun) setLooked({ wish, dryRun: answer.dryRun })
      else go(to('helm-list', { team_id: tenantId }))
    } catch (error) {
      setRefusal(wordsOf(error))
    }
  }

  return (
    <>
      <Loaded query={inspected}>{(one) => <Head chart={one} release={release} />}</Loaded>
      <div className={styles.choices}>
        <label>
          <span>{t('helm-ui-version')}</span>
          <RemoteSelect
            label={t('helm-ui-version')}
            endpoint={charts.versions}
            input={{ params: { chartName: chart, repoId: repository.id, tenantId } }}
            pageSize={20}
            value={version}
            option={(row) => ({ value: row.version, label: row.version })}
            onChange={(next) => choose({ version: next ?? version })}
          />
        </label>
        {!release && (
          <>
            <label>
              <span>{t('helm-ui-release-name')}</span>
              <Input
                aria-label={t('helm-ui-release-name')}
                value={name}
                maxLength={53}
                onChange={(event) => setName(event.target.value)}
              />
              <small className="g-faint">{t('helm-ui-release-name-help')}</small>
            </label>
            <label>
              <span>{t('helm-ui-stack')}</span>
              <RemoteSelect
                label={t('helm-ui-stack')}
                endpoint={stacks.list}
                input={{ params: { teamId: tenantId, envId: 'all' } }}
                pageSize={20}
                {...(stack && { value: stack.id })}
                option={(row) => ({ value: row.id, label: `${row.name} (${row.envName})` })}
                onChange={(_id, row) => setStack(row && { id: row.id, envId: row.envId })}
              />
              <small className="g-faint">{t('helm-ui-stack-help')}</small>
            </label>
          </>
        )}
      </div>
      <Section title={t('helm-ui-values')} about={t('helm-ui-yours-help')}>
        <Loaded query={inspected}>
          {(one) => <ValuesTabs chart={one} last={release?.values ?? ''} yours={yours} onChange={setYours} />}
        </Loaded>
      </Section>
      <Problem text={refusal} />
      <div className="g-row g-row-end">
        <Button
          icon="diff"
          needs={releases.deploy}
          loading={look.isPending}
          disabled={incomplete}
          onClick={() => void send('true')}
        >
          {t('helm-ui-check')}
        </Button>
        <Button
          primary
          icon="play"
          needs={releases.deploy}
          loading={deploy.isPending}
          disabled={incomplete || reasonAgainst(looked?.dryRun, isSeen)}
          onClick={() => void send('false')}
        >
          {t(release ? 'helm-ui-upgrade' : 'helm-ui-deploy')}
        </Button>
      </div>
      {looked && isSeen && <DryRunView dryRun={looked.dryRun} />}
    </>
  )
}

/** The button is enabled after the user has seen the difference, if the caller may deploy all of it. */
function reasonAgainst(dryRun: DryRun | undefined, isSeen: boolean): string | false {
  if (!dryRun) return t('helm-ui-check-first')
  if (!isSeen) return t('helm-ui-check-again')
  if (!dryRun.allowed) return t('helm-ui-findings')
  return dryRun.quota.problem !== '' && t('helm-ui-quota-over')
}

function Head({ chart, release }: { chart: InspectedChart; release: ReleaseDetails | undefined }) {
  const teamId = useTeamId()
  return (
    <div className={styles.head}>
      {chart.icon !== '' && <img src={chart.icon} alt="" width={48} height={48} />}
      <div>
        <h2>{release ? `${release.name}: ${chart.name}` : chart.name}</h2>
        <p>{chart.description}</p>
        {!release && <GoTo to={to('helm-deploy', { team_id: teamId })}>{t('helm-ui-other-chart')}</GoTo>}
        <Facts
          facts={[
            { label: t('helm-ui-app-version'), value: chart.appVersion },
            { label: t('helm-ui-home'), value: chart.home },
            {
              label: t('helm-ui-dependencies'),
              value: chart.dependencies.map((one) => `${one.name} ${one.version}`).join(', '),
            },
          ]}
        />
      </div>
    </div>
  )
}
