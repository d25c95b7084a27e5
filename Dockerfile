# An image that has nothing but replay: docker run --rm -v "$PWD:/logs:ro" replay check /logs
FROM swift:6.2 AS build
WORKDIR /package
COPY Package.swift ./
COPY Sources Sources
COPY Tests Tests
COPY Benchmarks Benchmarks
COPY Examples Examples
COPY events/violations events/violations
RUN swift build -c release --product replay -Xswiftc -static-executable \
    && strip .build/release/replay

FROM scratch
COPY --from=build /package/.build/release/replay /replay
WORKDIR /logs
ENTRYPOINT ["/replay"]
CMD ["help"]
