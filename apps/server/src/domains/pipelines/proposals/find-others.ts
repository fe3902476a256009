import { type Finder, reportFile, reportFolder, versionIn } from './finding.ts'

/** Reads a version from a manifest, such as `go 1.22`. */
const versionAfter = (text: string, pattern: RegExp): string => versionIn(pattern.exec(text)?.[1] ?? '')

export const findGo: Finder = (folder) =>
  folder.has('go.mod')
    ? {
        kind: 'go',
        because: ['go.mod', ...(folder.has('go.sum') ? ['go.sum'] : [])],
        language: 'Go',
        image: { path: /golang|\bgo\b/, version: versionAfter(folder.text('go.mod'), /^go (\S+)/m) },
        build: 'go build ./...',
        ...(folder.holds(/_test\.go$/) ? { test: 'go test ./...', tests: 'go test' } : { tests: '' }),
      }
    : undefined

export const findMaven: Finder = (folder) => {
  if (!folder.has('pom.xml')) return undefined
  const text = folder.text('pom.xml')
  const hasWrapper = folder.has('mvnw')
  const isTested = folder.holds(/(^|\/)src\/test\//)
  return {
    kind: 'maven',
    because: ['pom.xml', ...(hasWrapper ? ['mvnw'] : [])],
    language: folder.holds(/\.kt$/) ? 'Kotlin' : 'Java',
    // the wrapper downloads its own Maven
    image: {
      path: hasWrapper ? /maven|temurin|openjdk|\bjdk\b/ : /maven/,
      version: '',
    },
    ...(isTested
      ? { test: `${hasWrapper ? 'sh ./mvnw' : 'mvn'} --batch-mode verify`, tests: 'mvn verify' }
      : { build: `${hasWrapper ? 'sh ./mvnw' : 'mvn'} --batch-mode package`, tests: '' }),
    ...(isTested && { reports: '**/target/surefire-reports/TEST-*.xml' }),
    ...(!/<packaging>pom</.test(text) && { artifacts: 'target/*.?ar' }),
    whole: /<modules>/.test(text),
  }
}

export const findGradle: Finder = (folder) => {
  const [file] = folder.named(/^build\.gradle(\.kts)?$/)
  const [settings] = folder.named(/^settings\.gradle(\.kts)?$/)
  const because = [file, settings, folder.has('gradlew') ? 'gradlew' : undefined].filter((name) => name !== undefined)
  if (file === undefined && settings === undefined) return undefined
  const command = folder.has('gradlew') ? 'sh ./gradlew' : 'gradle'
  const isTested = folder.holds(/(^|\/)src\/test\//)
  return {
    kind: 'gradle',
    because,
    language: folder.holds(/\.kt$/) ? 'Kotlin' : 'Java',
    image: { path: folder.has('gradlew') ? /gradle|temurin|openjdk|\bjdk\b/ : /gradle/, version: '' },
    ...(isTested
      ? { test: `${command} build`, tests: 'gradle build', reports: '**/build/test-results/**/*.xml' }
      : { build: `${command} build`, tests: '' }),
    ...(folder.holds(/^src\/main\//) && { artifacts: 'build/libs/*.?ar' }),
    whole: settings !== undefined,
  }
}

export const findPhp: Finder = (folder) => {
  if (!folder.has('composer.json')) return undefined
  const text = folder.text('composer.json')
  const isPest = text.includes('"pestphp/pest"')
  const isTested = isPest || text.includes('"phpunit/phpunit"') || folder.named(/^phpunit\.xml/).length > 0
  const runner = isPest ? 'vendor/bin/pest' : 'vendor/bin/phpunit'
  return {
    kind: 'composer',
    because: ['composer.json', ...(folder.has('composer.lock') ? ['composer.lock'] : [])],
    language: 'PHP',
    image: { path: /composer/, version: '' },
    install: 'composer install --no-interaction --prefer-dist',
    ...(isTested
      ? {
          test: `mkdir -p ${reportFolder}\nphp ${runner} --log-junit ${reportFile}`,
          tests: isPest ? 'pest' : 'phpunit',
          reports: reportFile,
        }
      : { tests: '' }),
  }
}

export const findRust: Finder = (folder) => {
  if (!folder.has('Cargo.toml')) return undefined
  const locked = folder.has('Cargo.lock') ? ' --locked' : ''
  return {
    kind: 'cargo',
    because: ['Cargo.toml', ...(locked === '' ? [] : ['Cargo.lock'])],
    language: 'Rust',
    image: { path: /rust/, version: versionAfter(folder.text('Cargo.toml'), /^rust-version\s*=\s*"([^"]+)"/m) },
    test: `cargo test${locked}`,
    tests: 'cargo test',
    build: `cargo build --release${locked}`,
    whole: /^\[workspace\]/m.test(folder.text('Cargo.toml')),
  }
}

export const findDotnet: Finder = (folder) => {
  const [solution] = folder.named(/\.slnx?$/)
  const [project] = folder.named(/\.(cs|fs)proj$/)
  const file = solution ?? project
  if (file === undefined) return undefined
  const isTested = folder.holds(/tests?\.(cs|fs)proj$/i)
  const isCovered = folder.says(/coverlet\.collector/)
  const collect = isCovered ? ' --collect "XPlat Code Coverage" --results-directory reports' : ''
  return {
    kind: 'dotnet',
    because: [file],
    language: folder.holds(/\.fsproj$/) ? 'F#' : 'C#',
    image: { path: /dotnet/, version: versionAfter(folder.text(project ?? ''), /<TargetFramework>net([\d.]+)</) },
    install: 'dotnet restore',
    build: 'dotnet build --no-restore --configuration Release',
    ...(isTested ? { test: `dotnet test${collect}`, tests: 'dotnet test' } : { tests: '' }),
    ...(isTested && isCovered && { coverage: 'reports/**/coverage.cobertura.xml' }),
    whole: solution !== undefined,
  }
}

export const findStatic: Finder = (folder) =>
  folder.has('index.html')
    ? {
        kind: 'static',
        because: ['index.html'],
        language: 'HTML',
        image: { path: /nginx|httpd|alpine|busybox/, version: '' },
        tests: '',
        artifacts: '**',
      }
    : undefined
