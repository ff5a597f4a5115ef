package dev.idspring.store;

import java.io.EOFException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.Optional;

import javax.net.ssl.SSLException;

import dev.idspring.InvalidSettingException;
import org.jspecify.annotations.Nullable;

/**
 * Explains why a server cannot be reached. Uses only the classes of exceptions, because
 * their messages may contain addresses with passwords.
 *
 * @since 0.1.0
 */
public enum NetworkFailure {

	/** Nothing listens there. */
	REFUSED("%s refuses the connection", "Start the server, or correct its host and port."),

	/** The name has no address. */
	UNKNOWN_HOST("the host of %s is unknown", "Correct the host, or let this machine find its address (DNS)."),

	/** No network leads there. */
	UNREACHABLE("no network leads to %s", "Correct the host, or let this machine into the server's network."),

	/** There was no answer. */
	TIMED_OUT("%s did not answer in time",
			"Check that the server is up, its host and port, and that no firewall drops what is sent to it."),

	/** Encryption could not be agreed upon. */
	ENCRYPTION("the encrypted connection to %s failed (TLS)",
			"Check that both sides use TLS, and that this one trusts the server's certificate."),

	/** An existing connection was lost. */
	LOST("the connection to %s was lost", "Check that the server is up, and that nothing in between ends connections.");

	/** The most causes to follow, in case they form a cycle. */
	private static final int DEPTH = 20;

	private final String description;

	private final String remedy;

	NetworkFailure(String description, String remedy) {
		this.description = description;
		this.remedy = remedy;
	}

	/**
	 * Determine how the network failed.
	 * @param failure the exception of a client
	 * @return the failure, empty if it was not the network
	 */
	public static Optional<NetworkFailure> of(Throwable failure) {
		InvalidSettingException.requireGiven(NetworkFailure.class, "failure", failure);
		NetworkFailure found = null;
		Throwable cause = failure;
		for (int depth = 0; cause != null && depth < DEPTH; depth++) {
			NetworkFailure known = ofClass(cause);
			// the innermost failure is the root cause
			found = (known != null) ? known : found;
			cause = cause.getCause();
		}
		return Optional.ofNullable(found);
	}

	private static @Nullable NetworkFailure ofClass(Throwable cause) {
		if (cause instanceof UnknownHostException) {
			return UNKNOWN_HOST;
		}
		if (cause instanceof SocketTimeoutException) {
			return TIMED_OUT;
		}
		if (cause instanceof SSLException) {
			return ENCRYPTION;
		}
		if (cause instanceof NoRouteToHostException) {
			return UNREACHABLE;
		}
		if (cause instanceof ConnectException) {
			// the operating system reports several failures by the same class
			String text = String.valueOf(cause.getMessage());
			return text.contains("unreachable") ? UNREACHABLE : text.contains("timed out") ? TIMED_OUT : REFUSED;
		}
		return (cause instanceof SocketException || cause instanceof EOFException) ? LOST : null;
	}

	/**
	 * Describe the failure.
	 * @param server the configured host and port, or {@code null} if not known
	 * @return the description, which may be shown to anyone
	 */
	public String describe(@Nullable String server) {
		return String.format(this.description, (server != null) ? server : "the server");
	}

	/**
	 * Return the remedy.
	 * @return the remedy, as a sentence
	 */
	public String remedy() {
		return this.remedy;
	}

}
