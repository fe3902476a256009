// Made from the migrations by `npm run gen`. Do not edit.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { Jsonb } from './json.ts'

/** Comes as ISO 8601 in UTC. */
type Time = ColumnType<string, Date | string, Date | string>
type NullableTime = ColumnType<string | null, Date | string | null | undefined, Date | string | null>

/** Written with jsonb(); read as what only the writer knows: the store names its type. */
type Json = ColumnType<unknown, Jsonb, Jsonb>
type NullableJson = ColumnType<unknown, Jsonb | null | undefined, Jsonb | null>

type Defaulted<C> = C extends ColumnType<infer S, infer I, infer U> ? ColumnType<S, I | undefined, U> : never

export interface Tables {
  account: {
    id: GeneratedAlways<number>
    type: Generated<'IDENTITY' | 'LDAP' | 'OAUTH'>
    provider: Generated<string>
    subject: string
    user_name: string
    nickname: Generated<string>
    email: Generated<string>
    password_hash: string | null
    password_changed_at: Defaulted<Time>
    admin: Generated<boolean>
    newly_built: Generated<boolean>
    status: Generated<'normal' | 'disabled' | 'locked' | 'inactive'>
    wrong_passwords: Generated<number>
    last_login_at: NullableTime
    active_since: Defaulted<Time>
    space_name: Generated<string>
    setting: Defaulted<Json>
    default_team_id: number | null
    created_at: Defaulted<Time>
    updated_at: Defaulted<Time>
  }
  account_system_role: {
    account_id: number
    role_id: number
  }
  api_token: {
    id: GeneratedAlways<number>
    team_id: number
    account_id: number
    alias: string
    token_hash: Buffer
    created_at: Defaulted<Time>
    last_used_at: NullableTime
  }
  audit_log: {
    id: GeneratedAlways<number>
    started_at: Defaulted<Time>
    duration_ms: number
    actor_kind: 'user' | 'agent' | 'system' | 'anonymous'
    actor_id: number
    actor_name: string
    team_id: number | null
    action: string
    method: string
    url: string
    object: Generated<string>
    status: number
    message: Generated<string>
    ip: string
    request_id: string
    detail: NullableJson
  }
  job_slot: {
    job: string
    slot: Time
  }
  outbox: {
    seq: GeneratedAlways<number>
    tx: Generated<string>
    topic: string
    team_id: number | null
    content: Json
    created_at: Defaulted<Time>
  }
  rate_counter: {
    key: string
    hits: number
    expires_at: Time
  }
  session: {
    id: GeneratedAlways<number>
    family: string
    kind: 'bearer' | 'cookie'
    token_hash: Buffer
    account_id: number
    team_id: number | null
    ip: Generated<string>
    created_at: Defaulted<Time>
    expires_at: Time
  }
  setting: {
    name: string
    value: Json
    updated_at: Defaulted<Time>
  }
  system_role: {
    id: GeneratedAlways<number>
    name: string
    permissions: Generated<string[]>
    created_at: Defaulted<Time>
  }
  team: {
    id: GeneratedAlways<number>
    name: string
    description: Generated<string>
    creator_id: number | null
    created_at: Defaulted<Time>
    updated_at: Defaulted<Time>
  }
  team_member: {
    team_id: number
    account_id: number
    role_id: number | null
    leader: Generated<boolean>
    created_at: Defaulted<Time>
  }
  team_role: {
    id: GeneratedAlways<number>
    team_id: number
    name: string
    permissions: Generated<string[]>
    created_at: Defaulted<Time>
  }
  ticket: {
    token_hash: Buffer
    session_id: number | null
    api_token_id: number | null
    method: string
    path: string
    expires_at: Time
  }
}
