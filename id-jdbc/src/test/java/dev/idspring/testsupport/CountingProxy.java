package dev.idspring.testsupport;

import java.net.URI;

/**
 * A proxy that counts the round trips between a driver and its database.
 */
public final class CountingProxy extends TestProxy {

	private final TestDatabase database;

	private final URI target;

	public CountingProxy(TestDatabase database) {
		this(database, URI.create(database.url().substring("jdbc:".length())));
	}

	private CountingProxy(TestDatabase database, URI target) {
		super(target.getHost(), target.getPort());
		this.database = database;
		this.target = target;
	}

	/**
	 * Return the database with the address of this proxy.
	 */
	public TestDatabase database() {
		String url = this.database.url().replace("//" + this.target.getAuthority(), "//127.0.0.1:" + port());
		return new TestDatabase(url, this.database.username(), this.database.password(), this.database.platform());
	}

}
