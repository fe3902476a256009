import { releases } from '@gantry/contract/blueprints/releases'
import type { Decision } from '@gantry/contract/decisions/decisions'
import { copies } from '@gantry/contract/stacks/copies/copies'
import { users } from '@gantry/contract/users/users'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { toast } from '../../api/notices.ts'
import { useSigned } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { useDialog } from '../../ui/feedback/dialog.tsx'
import { GoTo } from '../../ui/link.tsx'
import { Time } from '../../ui/time.tsx'
import { useReleaseDecision } from '../blueprints/release/public.ts'
import { type Deciding, Choices, DecideDialog } from '../pipelines/public.tsx'
import { useServiceDecision } from '../stacks/services/public.ts'
import { useDecisions } from './use-decisions.ts'
import styles from './decisions.module.css'

interface DecisionListProps {
  /** Called before a screen or a confirmation opens over the list's container. */
  onLeave?: () => void
}

const pageSize = 20

/** The user's pending decisions, each with its actions; renders nothing without any. */
export function DecisionList({ onLeave }: DecisionListProps) {
  const [size, setSize] = useState(pageSize)
  const { data } = useDecisions(size)
  const deciding = useDialog<Deciding>()
  const { items = [], totalSize = 0 } = data ?? {}
  return (
    <>
      {totalSize > 0 && (
        <section className={styles.list} aria-label={t('decisions-ui-title')}>
          <h2>{t('decisions-ui-title')}</h2>
          <ul tabIndex={0} aria-label={t('decisions-ui-title')}>
            {items.map((one) => (
              <Row
                key={one.key}
                one={one}
                onLeave={onLeave}
                onChoose={(chosen) => {
                  onLeave?.()
                  deciding.show(chosen)
                }}
              />
            ))}
            {totalSize > items.length && (
              <li>
                <Button quiet small onClick={() => setSize(-1)}>
                  {t('decisions-ui-older', { count: totalSize })}
                </Button>
              </li>
            )}
          </ul>
        </section>
      )}
      {deciding.open && <DecideDialog {...deciding.open} onClose={deciding.hide} />}
    </>
  )
}

interface RowProps {
  one: Decision
  onLeave: (() => void) | undefined
  onChoose: (deciding: Deciding) => void
}

function Row({ one, onLeave, onChoose }: RowProps) {
  const teamId = useSigned()?.teamId
  return (
    <li>
      <div>
        <p>
          <GoTo to={one.path} {...(onLeave ? { onClick: onLeave } : {})}>
            {one.text}
          </GoTo>
        </p>
        <span className={styles.about}>
          {one.by !== '' && <span>{t('decisions-ui-by', { name: one.by })} · </span>}
          <Time at={one.since} />
          {one.until !== null && (
            <span>
              {' '}
              · {t('decisions-ui-until')} <Time at={one.until} />
            </span>
          )}
          {one.team !== null && one.team.id !== teamId && (
            <span> · {t('notifications-in-team', { team: one.team.name })}</span>
          )}
        </span>
      </div>
      <Ways one={one} onLeave={onLeave} onChoose={onChoose} />
    </li>
  )
}

/** The actions for each kind, as on its own screen. */
function Ways({ one, onLeave, onChoose }: RowProps) {
  switch (one.kind) {
    case 'review':
    case 'fork':
    case 'approval':
    case 'start':
      return <Choices question={one} permitted small onChoose={onChoose} />
    case 'upgrade':
      return <UpgradeWays one={one} onLeave={onLeave} />
    case 'release':
      return <ReleaseWays one={one} onLeave={onLeave} />
    case 'account':
      return <AccountWay one={one} />
    case 'cluster':
      // the user has to read on its screen what is accepted
      return null
  }
}

interface WaysProps<K extends Decision['kind']> {
  one: Extract<Decision, { kind: K }>
  onLeave?: (() => void) | undefined
}

function UpgradeWays({ one, onLeave }: WaysProps<'upgrade'>) {
  const decide = useServiceDecision()
  const goOn = useWrite(copies.goOn, { done: 'option-success' })
  const { serviceId: id, name, teamId, envId } = one
  const ask = (decision: 'confirm' | 'rollBack' | 'cancel') => {
    onLeave?.()
    void decide({ id, name, teamId, envId }, decision)
  }
  return (
    <div className="g-row">
      {one.step ? (
        <Button
          small
          icon="play"
          loading={goOn.isPending}
          onClick={() => goOn.mutate({ named: name, params: { teamId, envId, id } })}
        >
          {t('stacks-ui-gray-go-on')}
        </Button>
      ) : (
        <Button small icon="check" onClick={() => ask('confirm')}>
          {t('stacks-ui-confirm')}
        </Button>
      )}
      <Button small onClick={() => ask(one.step ? 'cancel' : 'rollBack')}>
        {t(one.step ? 'stacks-ui-cancel' : 'stacks-ui-rollBack')}
      </Button>
    </div>
  )
}

function ReleaseWays({ one, onLeave }: WaysProps<'release'>) {
  const params = { teamId: one.teamId, envId: one.envId, stackName: one.stackName }
  const ask = useReleaseDecision(params)
  const choose = async (decision: 'confirm' | 'rollBack') => {
    onLeave?.()
    try {
      const release = await call(releases.latest, { params })
      if (release) await ask(release, decision)
    } catch (error) {
      toast.error(error)
    }
  }
  return (
    <div className="g-row">
      <Button small icon="check" onClick={() => void choose('confirm')}>
        {t('blueprints-ui-release-confirm')}
      </Button>
      <Button small icon="rollback" onClick={() => void choose('rollBack')}>
        {t('blueprints-ui-release-rollBack')}
      </Button>
    </div>
  )
}

function AccountWay({ one }: WaysProps<'account'>) {
  const letIn = useWrite(users.approve, { done: 'option-success' })
  return (
    <Button
      small
      icon="check"
      loading={letIn.isPending}
      onClick={() => letIn.mutate({ named: one.name, params: { id: one.userId }, query: { enable: 'true' } })}
    >
      {t('users-ui-approve')}
    </Button>
  )
}
