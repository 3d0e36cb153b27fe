"""URLs by which somebody might lead a request to where it should not go (defect D27)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents_eval_core.errors import RefusedError
from agents_eval_core.outgoing.checked_url import CheckedUrl, checked_url, followed_url

HOSTS = frozenset({"api.github.com", "raw.githubusercontent.com"})


@pytest.mark.parametrize(
    ("url", "target"),
    [
        ("https://api.github.com/repos/a/b?recursive=1", "/repos/a/b?recursive=1"),
        ("https://api.github.com", "/"),
        ("https://api.github.com:443/x", "/x"),
        ("https://api.github.com?page=2", "/?page=2"),
        ("https://api.github.com/data/arxiv.cs.ai_2007-2017/a%20b.pdf", "/data/arxiv.cs.ai_2007-2017/a%20b.pdf"),
        ("https://api.github.com/@user/x", "/@user/x"),
    ],
)
def test_plain_urls_of_allowed_hosts_are_asked_for(url: str, target: str) -> None:
    assert checked_url(url, HOSTS) == CheckedUrl(host="api.github.com", target=target)


@pytest.mark.parametrize(
    "url",
    [
        "http://api.github.com/",
        "HTTPS://api.github.com/",
        "ftp://api.github.com/",
        "file:///etc/passwd",
        "//api.github.com/",
        "https:/api.github.com/",
        "https:api.github.com",
        "https:///api.github.com/",
        "api.github.com",
        "",
        "javascript:alert(1)",
        "data:text/plain,x",
        "https://api.github.com:8443/",
        "https://api.github.com:80/",
        "https://api.github.com:0443/",
        "https://api.github.com:/",
        "https://api.github.com:443:443/",
        "https://api.github.com:443@evil.test/",
        "https://user:secret@api.github.com/",
        "https://api.github.com@evil.test/",
        "https://evil.test@api.github.com/",
        "https://@api.github.com/",
        "https://evil.test#@api.github.com/",
        "https://evil.test?@api.github.com/",
        "https://api.github.com#@evil.test/",
        "https://api.github.com\\@evil.test/",
        "https://evil.test\\.api.github.com/",
        "https://api.github.com/\\evil.test",
        "https:\\\\api.github.com/",
        "https://api.github.com./",
        "https://.api.github.com/",
        "https://API.GITHUB.COM/",
        "https://api.github.com.evil.test/",
        "https://evil-api.github.com/",
        "https://github.com/",
        "https://ap\u0131.github.com/",
        "https://\u0430pi.github.com/",
        "https://api\u3002github\u3002com/",
        "https://api\uff0egithub\uff0ecom/",
        "https://\uff41pi.github.com/",
        "https://api.github.com\u2044evil.test/",
        "https://api.github.com\u200b/",
        "https://api.github.co\u00ad.m/",
        "https://xn--pi-7kc.github.com/",
        "https://api%2egithub.com/",
        "https://api.github.com%00.evil.test/",
        "https://127.0.0.1/",
        "https://127.1/",
        "https://2130706433/",
        "https://0x7f000001/",
        "https://0177.0.0.1/",
        "https://[::1]/",
        "https://[::ffff:127.0.0.1]/",
        "https://[::ffff:7f00:1]/",
        "https://0/",
        "https://localhost/",
        "https://169.254.169.254/latest/meta-data/",
        "https://metadata.google.internal/",
        "https://api.github.com/\r\nHost: evil.test",
        "https://api.github.com/\nx",
        "https://api.github.com/\tx",
        "https://api.github.com/ x",
        " https://api.github.com/",
        "https://api.github.com/ HTTP/1.1\r\nX: y\r\n\r\n",
        "https://api.github.com/\x00",
        "https://api.github.com/\x7f",
        "https://api.github.com/%0d%0aX:%20y",
        "https://api.github.com/%00",
        "https://api.github.com/%5cevil.test",
        "https://api.github.com/%2e%2e/x",
        "https://api.github.com/a/../x",
        "https://api.github.com/a/.",
        "https://api.github.com/..?x",
        "https://api.github.com/%2f..",
        "https://api.github.com/%zz",
        "https://api.github.com/%",
        "https://api.github.com/caf\u00e9",
        "https://api.github.com/#fragment",
        "https://api.github.com/<script>",
        'https://api.github.com/"',
        "https://api.github.com/" + "a" * 2048,
        "https://" + "a" * 100_000,
    ],
)
def test_a_url_that_might_lead_elsewhere_is_refused_and_told_shortly(url: str) -> None:
    with pytest.raises(RefusedError, match="is not asked for: ") as refused:
        checked_url(url, HOSTS)
    said = str(refused.value)
    assert len(said) < 400
    assert said.isascii()
    assert said.isprintable()


@pytest.mark.parametrize(
    "url",
    ["https://user:secret@api.github.com/", "https://user:sec/secret@api.github.com/", "https://secret@evil.test"],
)
def test_credentials_in_a_url_are_not_repeated(url: str) -> None:
    with pytest.raises(RefusedError) as refused:
        checked_url(url, HOSTS)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://api.github.com/", "it is no https URL"),
        ("https://api.github.com\\@evil.test/", "it has a backslash, which some take for a slash"),
        ("https://api.github.com:8443/", "it names a port; only the default one is used"),
        ("https://a:b@api.github.com/", "it has credentials, or a host that stands behind an @"),
        ("https://127.0.0.1/", "its host is not one of api.github.com, raw.githubusercontent.com"),
        ("https://\uff41pi.github.com/", "a letter beyond ASCII"),
        ("https://api.github.com/%00", "it hides a control character"),
        ("https://api.github.com/a/../b", "its path has . or .. as a part"),
        ("https://api.github.com/" + "a" * 2048, "it has more than 2,048 characters"),
    ],
)
def test_the_reason_of_a_refusal_is_told(url: str, reason: str) -> None:
    with pytest.raises(RefusedError) as refused:
        checked_url(url, HOSTS)
    assert reason in str(refused.value)


@given(st.text() | st.builds("https://{}".format, st.text()) | st.builds("https://api.github.com{}".format, st.text()))
def test_whatever_is_asked_for_goes_to_an_allowed_host_or_nowhere(url: str) -> None:
    try:
        found = checked_url(url, HOSTS)
    except RefusedError:
        return
    assert found.host in HOSTS
    assert str(found).isascii()
    assert str(found).isprintable()
    assert not {"\\", " ", "#"} & set(str(found))


BASE = CheckedUrl(host="api.github.com", target="/a/b")


def test_a_redirect_within_the_list_is_followed() -> None:
    assert followed_url(BASE, "/c", HOSTS) == CheckedUrl(host="api.github.com", target="/c")
    elsewhere = followed_url(BASE, "https://raw.githubusercontent.com/c", HOSTS)
    assert elsewhere == CheckedUrl(host="raw.githubusercontent.com", target="/c")


@pytest.mark.parametrize("location", ["///evil.test", "/a/../evil.test", "../../evil.test", "evil.test", "/@evil.test"])
def test_a_redirect_that_only_looks_like_one_off_the_list_stays_on_the_host(location: str) -> None:
    found = followed_url(BASE, location, HOSTS)
    assert found.host == "api.github.com"
    assert ".." not in found.target


@pytest.mark.parametrize(
    "location",
    [
        "https://evil.test/",
        "//evil.test/",
        "/\\evil.test/",
        "\\\\evil.test",
        "http://api.github.com/",
        "https://api.github.com:8443/",
        "https://user@api.github.com/",
        "https://127.0.0.1/",
        "https://[::1/",
        "ht\ntps://evil.test",
        "\x01https://evil.test",
        "file:///etc/passwd",
        "https://api.github.com/caf\xe9",
    ],
)
def test_a_redirect_off_the_list_is_not_followed(location: str) -> None:
    with pytest.raises(RefusedError, match="is not asked for"):
        followed_url(BASE, location, HOSTS)
