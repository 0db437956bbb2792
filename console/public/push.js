// Shows what the service pushes: a title that it wrote, and where it leads.
addEventListener('push', (event) => {
  const { id, title, url } = event.data.json()
  event.waitUntil(registration.showNotification(title, { tag: id, data: url, icon: '/console/icon.svg' }))
})
addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(clients.openWindow(event.notification.data))
})
// The browser or its push service has ended the subscription.
addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew(event)))

async function renew({ oldSubscription, newSubscription }) {
  const subscription = newSubscription ?? (await subscribe(oldSubscription))
  const { endpoint, keys } = subscription.toJSON()
  await fetch('/v1/me/push-subscriptions', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'market-version': '2026-05-17' },
    body: JSON.stringify({ endpoint, keys }),
  })
}

async function subscribe(old) {
  const config = await (await fetch('/v1/config/public')).json()
  const applicationServerKey = config.notifications.push_public_key ?? old?.options.applicationServerKey
  return registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
}
