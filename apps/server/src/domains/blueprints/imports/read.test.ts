import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readText } from './read.ts'

/** Every supported field, each on a line of its own. */
const objects = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 2
  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxSurge: 2
  template:
    metadata:
      labels:
        tier: front
    spec:
      terminationGracePeriodSeconds: 40
      securityContext:
        runAsUser: 1000
      affinity:
        nodeAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            nodeSelectorTerms:
              - matchExpressions:
                  - key: disk
                    operator: In
                    values: [ssd]
      tolerations:
        - key: spot
          operator: Exists
      containers:
        - name: web
          image: registry.example.test/web:1
          command: [run]
          ports:
            - name: http
              containerPort: 8080
          resources:
            limits:
              cpu: 100m
              memory: 64Mi
          env:
            - name: COLOR
              valueFrom:
                configMapKeyRef:
                  name: settings
                  key: color
          readinessProbe:
            periodSeconds: 5
            httpGet:
              port: http
              path: /ready
          lifecycle:
            preStop:
              exec:
                command: [bye]
          securityContext:
            readOnlyRootFilesystem: true
          volumeMounts:
            - name: data
              mountPath: /data
      volumes:
        - name: data
          persistentVolumeClaim:
            claimName: store
---
apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  selector:
    tier: front
  ports:
    - port: 8080
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
data:
  color: blue
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: store
spec:
  accessModes: [ReadWriteOnce]
  resources:
    requests:
      storage: 1Gi
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: web
spec:
  minReplicas: 2
  maxReplicas: 4
  scaleTargetRef:
    kind: Deployment
    name: web
  metrics:
    - type: Resource
      resource:
        name: cpu
        target:
          type: Utilization
          averageUtilization: 80
`

const compose = `services:
  web:
    image: registry.example.test/web:1
    command: run --all
    ports:
      - target: 80
    expose: ['9000']
    volumes:
      - type: volume
        source: data
        target: /data
    configs:
      - source: site
        target: /etc/site
    healthcheck:
      test: [CMD, check]
      interval: 5s
    depends_on:
      db:
        condition: service_started
    deploy:
      replicas: 2
      resources:
        limits:
          cpus: '0.5'
          memory: 64M
  db:
    image: registry.example.test/db:1
    environment: [A=b]
volumes:
  data:
    name: data
configs:
  site:
    content: hello
`

/** Maps with arbitrary keys: a key there is a name, not a field. */
const dictionaries =
  /^( *labels:| *selector:|data:|services:|volumes:|configs:| {4}depends_on:| {2}name: (settings|store|web))$/

describe.each([
  ['Kubernetes objects', objects],
  ['a Compose file', compose],
])('of %s', (_, text) => {
  const lines = text.split('\n')

  test('every unknown field is reported at its line, wherever it is', () => {
    expect(readText(text).wrong).toEqual([])
    const places = lines.flatMap((line, at) => (/^\s*(- )?[a-zA-Z]+:/.test(line) ? [at] : []))
    const silent = places.filter((at) => {
      const line = lines[at] ?? ''
      const indent = ' '.repeat(line.search(/[a-zA-Z]/))
      const above = lines.slice(0, at).findLast((one) => one.search(/[a-zA-Z-]/) < indent.length && one !== '---') ?? ''
      if (dictionaries.test(above)) return false
      // the first key of a list item follows a dash, so the original field moves to the next line
      const own = [...lines]
      const isFirst = line.trimStart().startsWith('- ')
      own.splice(
        isFirst ? at : at,
        isFirst ? 1 : 0,
        isFirst ? `${line.slice(0, indent.length)}zzz: 1` : `${indent}zzz: 1`,
      )
      if (isFirst) own.splice(at + 1, 0, `${indent}${line.trimStart().slice(2)}`)
      const { notes, wrong } = readText(own.join('\n'))
      return ![...notes, ...wrong].some((one) => one.line === at + 1 && String(one.vars['field'] ?? '').includes('zzz'))
    })
    expect(silent.map((at) => `${at + 1}: ${lines[at]}`)).toEqual([])
  })

  test('mutated at random it never throws, and each problem has a line of the text', () => {
    const odd = fc.constantFrom(
      'null',
      '[]',
      '{}',
      '-1',
      '1e9',
      '"\u{1f600}"',
      '~',
      'true',
      '&a *a',
      '{a: {b: [c]}}',
      '- x',
      '!!binary aGk=',
      '"'.repeat(3),
    )
    const bend = fc.record({
      at: fc.nat(lines.length - 1),
      how: fc.constantFrom('drop', 'twice', 'value', 'indent'),
      odd,
    })
    fc.assert(
      fc.property(fc.array(bend, { minLength: 1, maxLength: 4 }), (bends) => {
        const bent = [...lines]
        for (const { at, how, odd: value } of bends) {
          const line = bent[at] ?? ''
          if (how === 'drop') bent.splice(at, 1)
          else if (how === 'twice') bent.splice(at, 0, line)
          else if (how === 'indent') bent[at] = `  ${line}`
          else bent[at] = line.replace(/:.*$/, `: ${value}`)
        }
        const { wrong, notes, services } = readText(bent.join('\n'))
        for (const { line, column } of [...wrong, ...notes]) {
          expect(line).toBeLessThanOrEqual(bent.length)
          expect(column).toBeGreaterThan(0)
        }
        if (wrong.length === 0) expect(services.length).toBeGreaterThan(0)
      }),
      { numRuns: 250 },
    )
  })
})
