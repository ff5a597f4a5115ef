package dev.idspring.sample;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.idspring.IdGenerator;
import dev.idspring.sample.LinkRepository.StoredLink;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Shortens links.
 */
@Service
class Links {

	private static final int MAX_URL_LENGTH = 2048;

	private final IdGenerator ids;

	private final LinkRepository repository;

	Links(IdGenerator ids, LinkRepository repository) {
		this.ids = ids;
		this.repository = repository;
	}

	/**
	 * Shorten links, all or none.
	 * @param lines absolute HTTP or HTTPS URLs; blank lines are passed over
	 * @throws InvalidLinkException if one of them is not, before anything is stored
	 */
	@Transactional
	List<Link> shorten(List<String> lines) {
		List<String> urls = new ArrayList<>(lines.size());
		for (int i = 0; i < lines.size(); i++) {
			String url = lines.get(i).strip();
			if (!url.isEmpty()) {
				verify(url, i + 1);
				urls.add(url);
			}
		}
		List<String> keys = this.ids.nextStrings(urls.size());
		List<Link> links = new ArrayList<>(urls.size());
		for (int i = 0; i < urls.size(); i++) {
			links.add(new Link(keys.get(i), urls.get(i)));
		}
		this.repository.insert(links);
		return links;
	}

	/**
	 * Return where a key leads, and count the click.
	 * @throws IllegalArgumentException if the text is no key
	 */
	Optional<String> follow(String key) {
		String canonical = canonical(key);
		Optional<String> url = this.repository.find(canonical).map(StoredLink::url);
		url.ifPresent((found) -> this.repository.countClick(canonical));
		return url;
	}

	/**
	 * Return what a key says about itself.
	 * @throws IllegalArgumentException if the text is no key
	 */
	LinkDescription describe(String key) {
		return LinkDescription.of(this.ids.describe(this.ids.parse(key)),
				this.repository.find(canonical(key)).orElse(null));
	}

	private String canonical(String key) {
		return this.ids.format(this.ids.parse(key));
	}

	private static void verify(String url, int line) {
		if (url.length() > MAX_URL_LENGTH) {
			throw new InvalidLinkException(line,
					"The URL has " + url.length() + " characters, at most " + MAX_URL_LENGTH + " are stored.");
		}
		try {
			URI uri = new URI(url);
			boolean web = "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
			if (!web || uri.getHost() == null) {
				throw new InvalidLinkException(line, "Only absolute http and https URLs with a host are shortened.");
			}
		}
		catch (URISyntaxException ex) {
			throw new InvalidLinkException(line,
					"This is not a URL: " + ex.getReason() + " at position " + (ex.getIndex() + 1) + ".");
		}
	}

}
