import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** A mail server on loopback. */
export interface MailServer {
  url: string
  mails: { to: string[]; text: string }[]
  /** What it answers a recipient; null to take them. */
  refusal: number | null
  stop: () => Promise<void>
}

/** Starts one that takes every mail. */
export async function startMailServer(): Promise<MailServer> {
  const mails: MailServer['mails'] = []
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    closeTimeout: 1,
    onRcptTo: (_address, _session, done) => {
      if (started.refusal === null) return done()
      done(Object.assign(new Error('no'), { responseCode: started.refusal }))
    },
    onData: (stream, session, done) => {
      let text = ''
      stream.on('data', (part) => {
        text += part
      })
      stream.on('end', () => {
        mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), text })
        done()
      })
    },
  })
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const started: MailServer = {
    url: `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`,
    mails,
    refusal: null,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
  return started
}
