"""Public JSON: the standings, and the description of the page as an app."""

from typing import Any

from django.templatetags.static import static
from django.urls import reverse

from scoring.queries.standings import Leaderboard
from tournaments.models import Tournament


def leaderboard_document(leaderboard: Leaderboard) -> dict[str, Any]:
    """Return the standings as public JSON."""
    return {
        "tournament": leaderboard.tournament.slug,
        "final": leaderboard.final,
        "rows": [
            {
                "rank": row.rank,
                "tied": row.tied,
                "start_number": row.start_number,
                "name": row.name,
                "points": row.points,
                "strokes": row.strokes,
                "tie_break": list(row.tie_break),
                "by_round": list(row.by_round),
            }
            for row in leaderboard.rows
        ],
    }


def manifest_document(tournament: Tournament) -> dict[str, Any]:
    """Return the players' page as an app (W3C Web Application Manifest)."""
    home = reverse("public:players", args=[tournament.slug])
    icons = [
        ("icon-192.png", 192, "any"),
        ("icon-512.png", 512, "any"),
        ("icon-maskable-512.png", 512, "maskable"),
    ]
    return {
        "name": tournament.name,
        "short_name": "Schnauz",
        "id": home,
        "start_url": home,
        "scope": home,
        "display": "standalone",
        "background_color": "#17402d",
        "theme_color": "#17402d",
        "icons": [
            {
                "src": static(f"icons/{name}"),
                "sizes": f"{size}x{size}",
                "type": "image/png",
                "purpose": purpose,
            }
            for name, size, purpose in icons
        ],
    }
