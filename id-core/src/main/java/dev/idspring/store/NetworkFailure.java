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
 * The reasons why a server cannot be reached. Descriptions never include the message of
 * an exception, because such a message may contain an address with a password.
 *
 * @since 0.1.0
 */
public enum NetworkFailure {

	/** The connection was refused, usually because no process listens on the port. */
	REFUSED("%s refuses the connection", "Start the server, or correct its host and port."),

	/** The host name cannot be resolved. */
	UNKNOWN_HOST("the host of %s is unknown",
			"Correct the host, or make sure that this machine can resolve its name (DNS)."),

	/** There is no network route to the server. */
	UNREACHABLE("there is no network route to %s",
			"Correct the host, or give this machine access to the server's network."),

	/** The server did not answer in time. */
	TIMED_OUT("%s did not answer in time",
			"Check the host and port, and make sure that the server is up and that no firewall blocks the connection."),

	/** The TLS connection could not be established. */
	ENCRYPTION("the encrypted connection to %s failed (TLS)",
			"Check that both sides use TLS, and that this application trusts the server's certificate."),

	/** An existing connection was lost. */
	LOST("the connection to %s was lost",
			"Check that the server is up, and that no firewall, proxy or pooler closes connections to it.");

	/** The maximum number of exceptions to examine, because causes may form a cycle. */
	private static final int MAX_DEPTH = 20;

	private final String description;

	private final String remedy;

	NetworkFailure(String description, String remedy) {
		this.description = description;
		this.remedy = remedy;
	}

	/**
	 * Determine which network failure caused an exception.
	 * @param failure the exception that a client of the server threw
	 * @return the network failure, or empty if the cause was something else
	 */
	public static Optional<NetworkFailure> of(Throwable failure) {
		InvalidSettingException.requireGiven(NetworkFailure.class, "failure", failure);
		NetworkFailure rootCause = null;
		Throwable cause = failure;
		for (int depth = 0; cause != null && depth < MAX_DEPTH; depth++) {
			NetworkFailure recognized = ofClass(cause);
			// the innermost failure is the root cause, so it replaces the outer ones
			rootCause = (recognized != null) ? recognized : rootCause;
			cause = cause.getCause();
		}
		return Optional.ofNullable(rootCause);
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
			// several failures have this class and differ only in their message
			String text = String.valueOf(cause.getMessage());
			return text.contains("unreachable") ? UNREACHABLE : text.contains("timed out") ? TIMED_OUT : REFUSED;
		}
		return (cause instanceof SocketException || cause instanceof EOFException) ? LOST : null;
	}

	/**
	 * Describe the failure.
	 * @param server the configured host and port, or {@code null} if they are unknown
	 * @return the description, which contains no secrets
	 */
	public String describe(@Nullable String server) {
		return String.format(this.description, (server != null) ? server : "the server");
	}

	/**
	 * Return what an operator can do about the failure.
	 * @return the remedy, as a sentence
	 */
	public String remedy() {
		return this.remedy;
	}

}
