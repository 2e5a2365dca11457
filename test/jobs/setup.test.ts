import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import path from 'node:path'
import { createServer as createTlsServer, TLSSocket } from 'node:tls'
import { parseEnv, promisify } from 'node:util'
import { SMTPServer } from 'smtp-server'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { envText } from '../../src/operations/envFile.js'
import { newSettings, problemsOf, type SetupAnswers } from '../../src/operations/newSettings.js'
import { readConfig } from '../../src/platform/process/config.js'
import { certificate, expired } from '../support/certificate.js'
import { compiledFile } from '../support/compiled.js'
import { inDatabase, useDatabase } from '../support/database.js'
import { itInWholeRun } from '../support/run/extent.js'
import { newFolder } from '../support/run/folders.js'

const database = useDatabase()
const folder = newFolder()

describe('the settings of a new building', () => {
  it('are all that production asks for, each with secrets of its own', () => {
    const { files, sql } = newSettings(answers)
    const env = Object.assign({}, ...Object.values(files).map(({ settings }) => settings))
    expect(readConfig({ NODE_ENV: 'production', ...env })).toMatchObject({ https: true, trustProxy: true })
    const again = newSettings(answers).files['caretaker.env']!.settings
    expect(again.SESSION_SECRET).not.toBe(env.SESSION_SECRET)
    for (const url of [env.DATABASE_URL, env.MIGRATION_DATABASE_URL])
      expect(sql).toContain(`role ${new URL(url).username} login password '${new URL(url).password}'`)
  })

  it('keep the owner of the tables out of the file that the processes read', () => {
    const { files } = newSettings(answers)
    expect(Object.keys(files['caretaker.env']!.settings)).not.toContain('MIGRATION_DATABASE_URL')
    const compose = newSettings({ ...answers, compose: true }).files
    expect(JSON.stringify(compose['caretaker.env'])).not.toMatch(/OWNER|POSTGRES/)
  })

  it('are read alike by Node and a shell', () => {
    const { settings } = newSettings(answers).files['caretaker.env']!
    const text = envText('a note', settings)
    expect(parseEnv(text)).toEqual(settings)
    const read = execFileSync('sh', ['-c', `${text}printf %s "$SMTP_URL $MAIL_FROM"`]).toString()
    expect(read).toBe(`${settings.SMTP_URL} ${settings.MAIL_FROM}`)
  })

  it.each([
    ['--url', { url: 'http://status.example' }],
    ['--smtp-url', { smtpUrl: 'mail.example' }],
    ['--mail-from', { sender: 'the office' }],
    ['--server', { server: 'postgres://x' }],
  ])('are refused with the option %s that is wrong', (option, wrong) => {
    expect(problemsOf({ ...answers, ...wrong }).map((line) => line.split(':')[0])).toEqual([option])
  })
})

describe('npm run setup', () => {
  it('writes files for their owner alone, and never over others', async () => {
    const first = await setup([...options, '--set', 'S3_BUCKET=photos'])
    expect(first).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('create database caretaker owner'),
    })
    const file = path.join(folder, 'caretaker.env')
    expect(parseEnv(readFileSync(file, 'utf8'))).toMatchObject({
      S3_BUCKET: 'photos',
      SMTP_URL: answers.smtpUrl,
    })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const before = readFileSync(file, 'utf8')
    expect(await setup(options)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is there already'),
    })
    expect(readFileSync(file, 'utf8')).toBe(before)
  })

  it('needs no settings and leaves none behind but those it writes, as in an image', async () => {
    const here = mkdtempSync(path.join(folder, 'image-'))
    const ran = await setup(['--compose', '--folder', here, ...options], {
      NODE_ENV: 'production',
      DATA_DIR: path.join(here, 'data'),
    })
    expect(ran).toMatchObject({ code: 0, stdout: '' })
    expect(readdirSync(here).sort()).toEqual(['.env', 'caretaker.env'])
    const plain = await setup(['--folder', path.join(here, 'none')], { DATA_DIR: path.join(here, 'data') })
    expect(plain.code).toBe(1)
    expect(readdirSync(here).sort()).toEqual(['.env', 'caretaker.env'])
  })

  itInWholeRun('names what it was not told, where there is no one to ask', async () => {
    const { code, stderr } = await setup(['--folder', folder])
    expect(code).toBe(1)
    expect(stderr).toMatch(/--url.*\n--smtp-url.*\n--mail-from/)
  })
})

describe('npm run setup -- --check', () => {
  it('is content with a migrated database and an email server', async () => {
    const server = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'] })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => new Promise<void>((resolve) => void server.close(resolve)))
    const { port } = server.server.address() as { port: number }
    const owner = inDatabase(inject('ownerUrl'), new URL(database()).pathname.slice(1))
    expect(
      await checked({
        DATABASE_URL: database(),
        MIGRATION_DATABASE_URL: owner,
        SMTP_URL: `smtp://127.0.0.1:${port}`,
      }),
    ).toMatchObject({ DATABASE_URL: 'ok', MIGRATION_DATABASE_URL: 'ok', SMTP_URL: 'ok' })
  })

  it('says what is wrong with each', async () => {
    const closed = createServer()
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
    const { port } = closed.address() as { port: number }
    await new Promise((resolve) => closed.close(resolve))
    const wrong = new URL(database())
    wrong.password = 'wrong'
    const nowhere = new URL(database())
    nowhere.pathname = '/nowhere'
    const found = await checked({
      DATABASE_URL: wrong.href,
      MIGRATION_DATABASE_URL: nowhere.href,
      SMTP_URL: `smtp://127.0.0.1:${port}`,
    })
    expect(found.DATABASE_URL).toMatch(/28P01.*password is another/)
    expect(found.MIGRATION_DATABASE_URL).toMatch(/database "nowhere" does not exist.*Create it/)
    expect(found.SMTP_URL).toMatch(/Nothing answers there/)
  })

  const certificates: [string, typeof certificate, boolean, RegExp][] = [
    [
      'no one here knows the authority of',
      certificate,
      false,
      /The authority of its certificate is unknown here/,
    ],
    ['is for another name', certificate, true, /Its certificate is for another host name/],
    [
      'is out of date',
      expired,
      true,
      /Its certificate is out of date, or the clock of this machine is wrong/,
    ],
  ]
  it.each(certificates)(
    'says of each server whose certificate %s what to do',
    async (_what, shown, known, words) => {
      const port = await serversWith(shown)
      const file = path.join(folder, 'authority.pem')
      writeFileSync(file, shown.cert)
      const found = await checked({
        DATABASE_URL: `postgres://caretaker@127.0.0.1:${port.database}/caretaker?sslmode=require`,
        SMTP_URL: `smtps://127.0.0.1:${port.other}`,
        PHOTO_STORE: 's3',
        S3_BUCKET: 'photos',
        S3_ENDPOINT: `https://127.0.0.1:${port.other}`,
        S3_ACCESS_KEY_ID: 'key',
        S3_SECRET_ACCESS_KEY: 'secret',
        ...(known ? { NODE_EXTRA_CA_CERTS: file } : {}),
      })
      for (const what of ['DATABASE_URL', 'SMTP_URL', 'S3_BUCKET'])
        expect([what, found[what]]).toEqual([what, expect.stringMatching(words)])
    },
  )

  itInWholeRun('names a role without rights, and tables that are not there', async () => {
    const empty = inDatabase(database(), 'postgres')
    const found = await checked({ DATABASE_URL: empty, MIGRATION_DATABASE_URL: empty })
    expect(found.DATABASE_URL).toMatch(/no tables yet.*npm run migrate/)
    expect(found.MIGRATION_DATABASE_URL).toMatch(/may create no tables.*alter database/)
  })

  itInWholeRun('names settings that no process would start with', async () => {
    const { code, stderr } = await setup(['--check'], { NODE_ENV: 'production', SMTP_URL: 'mail' })
    expect(code).toBe(78)
    expect(stderr).toMatch(/SMTP_URL/)
  })
})

describe('npm run sending -- --test', () => {
  const sending = async (env: Record<string, string>) => {
    const script = await compiledFile('jobs/sending.ts')
    return promisify(execFile)(process.execPath, [script, '--test', 'you@example.com'], {
      env,
      cwd: folder,
    }).then(
      ({ stdout }) => stdout,
      ({ stderr }: { stderr: string }) => stderr,
    )
  }

  it('prints what the email server answered, and needs no database', async () => {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onRcptTo: ({ address }, _session, done) =>
        done(address === 'you@example.com' && refuses ? new Error('relay denied') : null),
      onData: (stream, _session, done) => {
        stream.resume()
        stream.once('end', () => done(null, 'queued as 7' as never))
      },
    })
    let refuses = false
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => new Promise<void>((resolve) => void server.close(resolve)))
    const env = { SMTP_URL: `smtp://127.0.0.1:${(server.server.address() as { port: number }).port}` }
    const said = { DATA_DIR: folder, ...env }
    expect(JSON.parse(await sending(said))).toMatchObject({
      test: 'you@example.com',
      answer: expect.stringMatching(/^250/),
    })
    refuses = true
    expect(await sending(said)).toMatch(/did not take it\. It said: 550 relay denied/)
    expect(await sending({ DATA_DIR: folder })).toMatch(/SMTP_URL is not set/)
  })
})

const answers: SetupAnswers = {
  url: 'https://status.example',
  smtpUrl: 'smtps://user:p&$w@mail.example',
  sender: 'Our building <office@status.example>',
  server: '127.0.0.1:5432',
  database: 'caretaker',
  compose: false,
  more: {},
}

const options = ['--url', answers.url, '--smtp-url', answers.smtpUrl, '--mail-from', answers.sender]

type Ran = { code: number; stdout: string; stderr: string }

async function setup(args: string[], env: Record<string, string> = {}): Promise<Ran> {
  const script = await compiledFile('jobs/setup.ts')
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [script, ...args],
      { env, cwd: folder },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    )
    child.stdin!.end()
  })
}

/** The checks of a file with these settings, as the words of each. */
async function checked(settings: Record<string, string>): Promise<Record<string, string>> {
  const file = path.join(mkdtempSync(path.join(folder, 'check-')), 'caretaker.env')
  writeFileSync(
    file,
    envText('test', { ...newSettings(answers).files['caretaker.env']!.settings, ...settings }),
  )
  const { stdout } = await setup(['--check', file])
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => line.split('\t'))
  return Object.fromEntries(rows.map(([how, what, words]) => [what, how === 'ok' ? 'ok' : words]))
}

/**
 * Ports of servers that show this certificate: one that is asked in clear first, as a database
 * is, and one that is not.
 */
async function serversWith(shown: {
  key: string
  cert: string
}): Promise<{ database: number; other: number }> {
  const quiet = (socket: Socket) => socket.on('error', () => {})
  const asked = createServer((socket) => {
    quiet(socket).once('data', () => {
      socket.write('S')
      quiet(new TLSSocket(socket, { isServer: true, ...shown }))
    })
  })
  const [database, other] = await Promise.all(
    [asked, createTlsServer(shown)].map(async (server) => {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      onTestFinished(() => void server.close())
      return (server.address() as AddressInfo).port
    }),
  )
  return { database: database!, other: other! }
}
