package dev.idspring.autoconfigure.actuate;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/**
 * {@link EndpointWebExtension @EndpointWebExtension} for {@link IdsEndpoint}. If the
 * endpoint returns {@code null}, the response has status 404, and contains the reason and
 * the names of all generators.
 *
 * @since 0.1.0
 */
@EndpointWebExtension(endpoint = IdsEndpoint.class)
@SuppressWarnings("deprecation") // see IdsEndpoint
public class IdsEndpointWebExtension {

	private final IdsEndpoint delegate;

	/**
	 * Create an extension.
	 * @param delegate the endpoint
	 */
	public IdsEndpointWebExtension(IdsEndpoint delegate) {
		this.delegate = delegate;
	}

	/**
	 * Same as {@link IdsEndpoint#generator(String, String, String, String)}.
	 * @param name the name of the generator
	 * @param scope the name of the only scope to describe, or {@code null}
	 * @param period the name of a period, or {@code null} for the current one
	 * @param after requests a page of scopes: a dash for the first page, otherwise the
	 * {@code after} value of the previous page; or {@code null}
	 * @return the description, or a response with status 404 if there is none
	 */
	@ReadOperation
	@RegisterReflectionForBinding(NotFoundDescriptor.class)
	public WebEndpointResponse<OperationResponseBody> generator(@Selector String name,
			@org.springframework.lang.Nullable @Nullable String scope,
			@org.springframework.lang.Nullable @Nullable String period,
			@org.springframework.lang.Nullable @Nullable String after) {
		return responseOf(name, this.delegate.generator(name, scope, period, after));
	}

	/**
	 * Same as {@link IdsEndpoint#id(String, String)}.
	 * @param name the name of the generator
	 * @param id the id as text, number or UUID
	 * @return the description, or a response with status 404 if there is no such
	 * generator or if it has not been used yet
	 */
	@ReadOperation
	public WebEndpointResponse<OperationResponseBody> id(@Selector String name, @Selector String id) {
		return responseOf(name, this.delegate.id(name, id));
	}

	private WebEndpointResponse<OperationResponseBody> responseOf(String name, @Nullable OperationResponseBody body) {
		return (body != null) ? new WebEndpointResponse<>(body)
				: new WebEndpointResponse<>(this.delegate.notFound(name), WebEndpointResponse.STATUS_NOT_FOUND);
	}

	/**
	 * The body of a response with status 404.
	 *
	 * @param message the reason
	 * @param generators the names of all generators
	 */
	public record NotFoundDescriptor(String message, List<String> generators) implements OperationResponseBody {

	}

}
