// Commands name the service where this page came from.

for (const command of document.querySelectorAll("pre.curl")) {
  command.textContent = command.textContent.replace("http://127.0.0.1:8080", location.origin);
}
