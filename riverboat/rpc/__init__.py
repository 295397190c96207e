"""What services and clients share to speak gRPC: conversion, errors, serving."""
