// The secret of a table stands behind the # of its code, which browsers never send: it goes along to where the club is now.
for (const link of document.querySelectorAll("[data-leads-on]")) link.hash = location.hash;
