// Shows what the service pushes: a title that it wrote, and where it leads.
addEventListener('push', (event) => {
  const { id, title, url } = event.data.json()
  event.waitUntil(registration.showNotification(title, { tag: id, data: url, icon: '/console/icon.svg' }))
})
addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(clients.openWindow(event.notification.data))
})
