const POLL_MS = 2_000

/** Replaces a list's rows. A row is a name, a text, and its state: good, bad or neither. */
function show(id, rows) {
  const items = rows.map(([name, text, mood]) => {
    const row = document.createElement('div')
    const term = document.createElement('dt')
    const value = document.createElement('dd')
    term.textContent = name
    value.textContent = text
    if (mood) value.className = mood
    row.append(term, value)
    return row
  })
  document.getElementById(id).replaceChildren(...items)
}

async function showState() {
  try {
    const answer = await fetch('/readyz')
    const ready = await answer.json()
    if (!answer.ok) return show('state', [['Service', ready.detail ?? 'not ready', 'bad']])
    const { alive } = ready.facilitator
    const isWorking = ready.worker.alive
    show('state', [
      ['Service', 'ready', 'good'],
      ['Worker', isWorking ? 'runs its jobs' : 'is not running', isWorking ? 'good' : 'bad'],
      ['Payments', alive ? 'are being made' : 'the facilitator is not running', alive ? 'good' : 'bad'],
      ['Chain index', ready.chain_index ? `at block ${ready.chain_index.block_number}` : 'is being built'],
    ])
  } catch {
    show('state', [['Service', 'does not answer', 'bad']])
  }
}

async function showSettings() {
  const config = await (await fetch('/v1/config/public')).json()
  show('settings', [
    ['Network', config.network + (config.sandbox ? ' (a sandbox: its money is worth nothing)' : '')],
    ['Escrow contract', config.escrow_contract],
    ['Payment token', config.token.address],
    ['Hot wallet', config.hot_wallet],
    ['Fee', `${config.rules.fee_bps / 100} % of what the seller is paid`],
    ['Orders', `from ${config.rules.min_order_amount} to ${config.rules.max_order_amount}`],
    ['Confirmations', String(config.confirmations)],
  ])
}

await Promise.all([showState(), showSettings()])
setInterval(showState, POLL_MS)
